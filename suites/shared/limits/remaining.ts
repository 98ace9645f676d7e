import { minuteAt } from '../../../contract/limits.ts';
import { judgeRemaining } from '../../../limits/judge/remaining.ts';
import type { Sample } from '../../../limits/judge/trace.ts';
import type { Exchange } from '../../../results/exchange.ts';
import type { ApiKey } from '../../session/call.ts';
import type { Session } from '../../session/session.ts';
import { exchangeSample, keyedExchanges } from './drive.ts';

// What Remaining showed in the calls that the run made anyway, whether a limit was driven or not.

/** What it showed of a key. `isOwnBudget`: no other key draws on its budget. */
export function remainingOf(session: Session, key: ApiKey, isOwnBudget: boolean) {
  const { evidence, settings } = session;
  const exchanges = keyedExchanges(evidence).filter(({ keyLabel }) => !isOwnBudget || keyLabel === key.label);
  const samples = new Map(exchanges.map((exchange) => [earlierSampleOf(exchange), exchange]));
  const judgement = judgeRemaining([...samples.keys()], {
    limit: session.api.perMinute(key, settings),
    windowMs: minuteAt(settings.CLOCK_SPEED),
    key: key.label,
    own: key.origin === 'own',
  });
  const decisive = judgement.sample && samples.get(judgement.sample);
  return { exchange: decisive ?? exchanges.findLast(({ keyLabel }) => keyLabel === key.label), judgement };
}

/** The keys that the run made and never used up. One that was rotated has two labels, and is left out. */
export function ownUndrivenKeys({ evidence, client }: Session): readonly ApiKey[] {
  const exchanges = keyedExchanges(evidence);
  const driven = new Set(exchanges.filter(({ response }) => response?.status === 429).map(({ keyLabel }) => keyLabel));
  const labels = new Set(exchanges.map(({ keyLabel }) => keyLabel ?? ''));
  const own = [...labels].flatMap((label) => client.keyByLabel(label) ?? []).filter(({ origin }) => origin === 'own');
  const hasOneLabel = ({ id }: ApiKey): boolean => own.filter((one) => one.id === id).length === 1;
  return own.filter((key) => !driven.has(key.label) && key.madeFor === undefined && hasOneLabel(key));
}

/**
 * A sample of a call that was made before the limit was driven, for another reason. An undocumented call may be refused
 * before its key is checked: then its headers say nothing of the key's budget.
 */
function earlierSampleOf(exchange: Exchange): Sample {
  const sample = exchangeSample(exchange, 'before');
  const isStray = exchange.endpoint === null || exchange.purpose === 'off-document';
  return isStray && sample.status >= 400 && sample.status !== 429
    ? { ...sample, limit: null, remaining: null }
    : sample;
}
