import { firstOf, withArticle } from '../../../common/words.ts';
import { type Limits, limitHeaders, minuteAt } from '../../../contract/limits.ts';
import { headerTroubles, judgeLimitValue } from '../../../limits/judge/headers.ts';
import { judgeRemaining } from '../../../limits/judge/remaining.ts';
import { describeHeaders, type HeadersVerdict } from '../../../limits/judge/reset.ts';
import { callsOf, type Sample } from '../../../limits/judge/trace.ts';
import { notMet } from '../../../results/drift.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { Inconclusive, type Tally } from '../../../results/outcome.ts';
import type { Check } from '../../engine/check.ts';
import { findingOn } from '../../engine/expect.ts';
import { judgeAll } from '../../engine/judge-responses.ts';
import type { ApiKey } from '../../session/call.ts';
import type { Answered, Evidence } from '../../session/evidence/evidence.ts';
import { mainKey, type Session } from '../../session/session.ts';
import { type Drive, exchangeSample, keyedExchanges } from './drive.ts';

/**
 * The responses to documented calls whose key the deployment recognised, in the order of sending: a call may be refused
 * before its key is checked, and a new key may not be known at once. Those with 429 are told apart by who sent them.
 */
const keyedResponses = (evidence: Pick<Evidence, 'exchanges'>): Exchange[] =>
  keyedExchanges(evidence).filter(({ endpoint, purpose, response }) => {
    const status = response?.status ?? 0;
    const isRecognised = (status > 0 && status < 400) || status === 403 || status === 429;
    return endpoint !== null && purpose !== 'off-document' && isRecognised;
  });

/** A header about limits that is none of the three, by its name: `RateLimit-Policy`, `X-RateLimit-Limit-short`. */
const otherLimitHeader = /^(?!x-ratelimit-(limit|remaining|reset)$).*rate-?limit/i;

/** A check: every response carries the three headers, and with a valid key each has a value. */
export const judgeLimitHeaders: Check = async ({ evidence }, tally) => {
  const keyed = new Set(keyedResponses(evidence));
  const troublesOf = (exchange: Answered): string => {
    const troubles = headerTroubles(exchangeSample(exchange, 'run'));
    return (keyed.has(exchange) ? troubles : troubles.filter((trouble) => trouble.endsWith(' absent'))).join(', ');
  };
  const judged = judgeAll(evidence.responses, {
    expected: limitHeaders.join(', '),
    place: 'headers',
    trouble(exchange) {
      const kind = troublesOf(exchange);
      const like = exchange.response.headers.flatMap(([name]) => (otherLimitHeader.test(name) ? name : []));
      const summary = `${kind}${like.length === 0 ? '' : `, sent instead: ${firstOf(like, 4)}`}`;
      return kind === '' ? null : { kind, summary, actual: summary };
    },
  });
  tally.add(judged);
};

/** The documented limits of a key, and whose they are (`sandbox key`); null: the documents do not say. */
export type LimitsOf = (key: ApiKey, session: Session) => { readonly subject: string; readonly limits: Limits } | null;

/**
 * Judges that X-RateLimit-Limit shows a documented number of the key's type on every response to a valid key. A 429
 * outside a drive may come from another limit.
 */
export function judgeLimitValues(session: Session, tally: Tally, drives: readonly Drive[], limitsOf: LimitsOf): void {
  const driven = new Set(drives.flatMap(({ answers }) => [...answers.values()].map(({ exchange }) => exchange.number)));
  const judged = keyedResponses(session.evidence)
    .filter(({ response, number }) => response?.status !== 429 || driven.has(number))
    .flatMap((exchange) => {
      const key = session.client.keys.get(exchange.keyLabel ?? '');
      const known = key && limitsOf(key, session);
      return known ? [{ ...known, exchange }] : [];
    });
  if (judged.length === 0) {
    const message = 'No call of this run was accepted with its key';
    throw new Inconclusive({ message, blames: session.api.keyClause });
  }
  for (const [subject, calls] of Map.groupBy(judged, (one) => one.subject)) {
    const [{ limits }] = calls as [(typeof judged)[number]];
    const samples = new Map(calls.map(({ exchange }) => [exchangeSample(exchange, 'run'), exchange]));
    const { verdict, says, sample } = judgeLimitValue([...samples.keys()], limits.perDay === null ? null : limits);
    const message = `Limit of ${withArticle(subject)}: ${says}`;
    const odd = sample === null ? undefined : samples.get(sample);
    if (verdict === 'undecided') {
      tally.leaveOpen({ message, blames: `${session.api.name}.limits.headers` });
    } else {
      tally.judge(odd === undefined ? null : findingOn({ exchange: odd }, { message, actual: says }));
    }
  }
}

/** Observes the format of the headers: in the first drive or, where there is none, in the calls with the given key. */
export function observeFormats(session: Session, [drive]: readonly Drive[]): Record<string, unknown> {
  if (drive !== undefined) {
    return headerFormats(drive.verdict.headers, drive.samples);
  }
  const { api, evidence, settings } = session;
  const key = mainKey(session);
  const samples = keyedResponses(evidence).map((one) => exchangeSample(one, 'run'));
  const calls = callsOf(samples, key.label).filter(({ sample }) => headerTroubles(sample).length === 0);
  if (calls.length === 0) {
    const message = `No call with ${key.label} shows all three headers`;
    throw new Inconclusive({ message, blames: samples.length === 0 ? api.keyClause : `${api.name}.limits.headers` });
  }
  return headerFormats(describeHeaders(calls, minuteAt(settings.CLOCK_SPEED), api.perMinute(key, settings)), samples);
}

/**
 * The units of the headers, and the forms of their values. The values themselves differ from run to run, and are noted
 * as measured. Only a 429 may carry Retry-After.
 */
export function headerFormats(
  seen: HeadersVerdict,
  samples: readonly Pick<Sample, 'status'>[],
): Record<string, unknown> {
  const { limit, remaining, reset, retryAfter } = seen;
  return {
    ...seen,
    remaining: formOf(remaining),
    reset: formOf(reset),
    retryAfter: samples.some(({ status }) => status === 429) ? formOf(retryAfter) : notMet,
    measured: { limit, remaining, reset, retryAfter },
  };
}

/** The form of a value, without the digits, and the names of days and months, that differ from run to run. */
const formOf = (text: string | null): string | null =>
  text?.replace(/\b[A-Z][a-z]{2}\b/g, '<name>').replace(/\d+/g, '<digits>') ?? null;

// What Remaining showed in the calls that the run made anyway, whether a limit was driven or not.

/** The judgement on what it showed of a given key, and the exchange that shows it best. */
export function judgeRemainingOf(session: Session, key: ApiKey) {
  const { evidence, settings } = session;
  const exchanges = keyedExchanges(evidence);
  const samples = new Map(
    exchanges.map((exchange) => {
      const sample = exchangeSample(exchange, 'before');
      // An undocumented call may be refused before its key is checked: its headers say nothing of the key's budget.
      const isStray = exchange.endpoint === null || exchange.purpose === 'off-document';
      const saysNothing = isStray && sample.status >= 400 && sample.status !== 429;
      return [saysNothing ? { ...sample, limit: null, remaining: null } : sample, exchange] as const;
    }),
  );
  const judgement = judgeRemaining([...samples.keys()], {
    limit: session.api.perMinute(key, settings),
    windowMs: minuteAt(settings.CLOCK_SPEED),
    key: key.label,
    own: false,
  });
  const decisive = judgement.sample && samples.get(judgement.sample);
  return { exchange: decisive ?? exchanges.findLast(({ keyLabel }) => keyLabel === key.label), judgement };
}
