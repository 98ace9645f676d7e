import { minuteMs } from '../../../contract/limits.ts';
import { judgeRemaining as judgeRemainingOf } from '../../../limits/judge/remaining.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { createTally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import type { Check } from '../../engine/check.ts';
import type { ApiKey } from '../../session/key.ts';
import { mainKeys } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import type { Drive } from './drive.ts';
import { earlierSampleOf, keyedExchanges } from './limit-samples.ts';
import { blamed, type Drives, judgeWord, onDrives, type Word } from './limits.ts';

/** Whether each key has a budget of its own; null: that is not known. */
type Apart = (session: Session) => Promise<boolean | null>;

const expected = 'Remaining falls with each call, and is 0 with the first 429';

/**
 * Remaining falls as calls are made, and is 0 when the first 429 comes: by the calls of the drives and, whatever may be driven, by
 * those that the run made anyway, with the given keys and, where each has a budget of its own, with those that it made.
 */
export const judgeRemaining = (drives: Drives, areApart: Apart): Check => {
  const ofDrives = onDrives(drives, (tally, drive, session) => {
    const { remaining } = drive.verdict;
    const isOne = isOneBudget(drive);
    const rest = {
      expected,
      ...(isOne ? { ...dueTo(remaining, session), ...blamed(drive, session) } : blamesPerMinute(session)),
    };
    judgeWord(tally, drive, isOne ? remaining : ofSomeBudget(remaining), rest);
  });
  return async (session) => {
    const made = ofDrives(session);
    const driven = await Promise.allSettled(drives(session).map((drive) => drive()));
    const isOne = driven.every((drive) => drive.status === 'rejected' || isOneBudget(drive.value));
    await session.quiet;
    const isApart = (await areApart(session)) === true;
    const keys = [...mainKeys(session), ...(isApart ? ownKeys(session) : [])];
    const anyway = keys.map((key) => remainingOf(session, key, isApart));
    const tally = createTally();
    tally.add(await made);
    for (const { subject, exchange, verdict, isOwn } of anyway) {
      // A key of the run's makes few calls, as often as not.
      if (exchange !== undefined && !(isOwn && verdict.verdict !== 'fails')) {
        const rest = { expected, ...(isOne ? dueTo(verdict, session) : blamesPerMinute(session)) };
        judgeWord(tally, { subject, decisive: { exchange } }, isOne ? verdict : ofSomeBudget(verdict), rest);
      }
    }
    return tally.outcome();
  };
};

/** Whether no call got through while its key was refused: then all draw on one budget. */
const isOneBudget = ({ verdict }: Drive): boolean => verdict.probes.every(({ outcome }) => outcome !== 'admitted');

/** What falls and rises by the budget of each kind of call tells nothing of one. */
const ofSomeBudget = (word: Word): Word => (word.verdict === 'fails' ? { ...word, verdict: 'undecided' } : word);
const dueTo = ({ blames }: Word, { api }: Session): Partial<Finding> =>
  blames === undefined ? {} : { blames: `${api.name}.limits.${blames}` };
const blamesPerMinute = ({ api }: Session): Partial<Finding> => ({ blames: `${api.name}.limits.per-minute` });

interface Anyway {
  readonly subject: string;
  /** The last call with the key; undefined: there was none. */
  readonly exchange: Exchange | undefined;
  readonly verdict: Word;
  readonly isOwn: boolean;
}

/** What Remaining told of a key whose budget nobody drove over its limit. `isApart`: no other key draws on that. */
function remainingOf(session: Session, key: ApiKey, isApart: boolean): Anyway {
  const { evidence, api, settings } = session;
  const exchanges = keyedExchanges(evidence).filter(({ keyLabel }) => !isApart || keyLabel === key.label);
  const own = key.origin === 'own';
  const samples = new Map(exchanges.map((exchange) => [earlierSampleOf(exchange), exchange]));
  const verdict = judgeRemainingOf([...samples.keys()], {
    limit: api.perMinute(key, settings),
    windowMs: minuteMs / settings.CLOCK_SPEED,
    key: key.label,
    alone: own,
  });
  const exchange =
    (verdict.sample && samples.get(verdict.sample)) ?? exchanges.findLast(({ keyLabel }) => keyLabel === key.label);
  return { subject: `${key.environment} key`, exchange, verdict, isOwn: own };
}

/** The keys that the run made and has not driven over their limit, each by the only label that its id has. */
function ownKeys({ evidence, client }: Session): ApiKey[] {
  const exchanges = keyedExchanges(evidence);
  const driven = new Set(exchanges.filter(({ response }) => response?.status === 429).map(({ keyLabel }) => keyLabel));
  const labels = [...new Set(exchanges.map(({ keyLabel }) => keyLabel ?? ''))];
  const own = labels.flatMap((label) => client.keyByLabel(label) ?? []).filter(({ origin }) => origin === 'own');
  const isAlone = ({ id }: ApiKey): boolean => own.filter((one) => one.id === id).length === 1;
  return own.filter((key) => !driven.has(key.label) && key.madeFor === undefined && isAlone(key));
}
