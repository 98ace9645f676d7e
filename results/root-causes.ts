import { counted, firstOf, thousands } from '../common/words.ts';
import { endpoints, isPathOf } from '../contract/endpoints.ts';
import { answeredInPlace } from './likely-cause.ts';
import type { ClauseResult, Finding, Verdict } from './verdict.ts';

/** Clauses that fail for the same reason. */
export interface RootCause {
  /** `24 documented endpoints answer 404: GET /api/v1/ads/campaigns, …`, or the finding's own message. */
  readonly sentence: string;
  readonly verdict: Verdict;
  readonly clauses: readonly ClauseResult[];
  /** The finding that is easiest to reproduce. */
  readonly finding: Finding;
}

/**
 * Whether a status says that the endpoint is missing or broken, whatever the call expected. Where a refusal was expected,
 * an accepted call shows that the endpoint is there.
 */
const missingOrBroken = (status: number, expected?: string): boolean =>
  !/^40[13]$/.test(expected ?? '') && (status === 404 || status === 405 || status >= 500);

/** Fewer clauses may share a status, or lack fields of one answer, by chance. */
const leastSharing = 3;
const mostNamed = 4;

/**
 * The failing clauses of one verdict, grouped by cause: clauses have one cause if all their findings have the same key.
 * A clause whose findings differ from each other is a group by itself. What to fix first comes first: the causes, and the
 * clauses of each, for which most others wait; then the causes with the most clauses.
 */
export function rootCausesOf(results: readonly ClauseResult[], verdict: Verdict): readonly RootCause[] {
  const failing = results.filter((result) => result.verdict === verdict && result.findings.length > 0);
  const groups = Map.groupBy(failing, ({ id, findings }) => {
    const [key, ...others] = new Set(findings.map(keyOf));
    return others.length === 0 ? key : `clause ${id}`;
  });
  const waiting = new Map(firstStepsOf(results).map((step) => [step.clause, step.waiting.length]));
  const waitingFor = (result: ClauseResult | undefined): number => waiting.get(result?.id ?? '') ?? 0;
  return [...groups.values()]
    .flatMap((clauses) => (isOneCause(clauses) ? [clauses] : clauses.map((one) => [one])))
    .map((clauses) => clauses.toSorted((a, b) => waitingFor(b) - waitingFor(a)))
    .sort((a, b) => waitingFor(b[0]) - waitingFor(a[0]) || b.length - a.length)
    .map((clauses) => causeOf(clauses, verdict));
}

/**
 * What a finding shares with others of its cause: who answered in place of the API, the answer that lacks a field, the
 * status of an answer, or else the message.
 */
function keyOf({ message, request, response, expected, place, actual, cause = '' }: Finding): string {
  if (answeredInPlace.test(cause)) {
    return cause.replace(/ \(.*\)/, '');
  }
  if (place?.startsWith('/') && actual === 'absent') {
    return `absent on ${request?.method} ${request?.url}`;
  }
  if (response === undefined || expected === undefined || place !== undefined) {
    return message;
  }
  return missingOrBroken(response.status, expected)
    ? `status ${response.status}`
    : `status ${response.status} for ${expected}`;
}

function isOneCause(clauses: readonly ClauseResult[]): boolean {
  const findings = clauses.flatMap((clause) => clause.findings);
  const isSame = ({ message, cause = '' }: Finding): boolean =>
    message === findings[0]?.message || answeredInPlace.test(cause);
  return clauses.length >= leastSharing || findings.every(isSame);
}

function causeOf(clauses: readonly ClauseResult[], verdict: Verdict): RootCause {
  const findings = clauses.flatMap((clause) => clause.findings);
  const [finding = { message: '' }] = simplestFirst(findings);
  const { cause: between = '' } = finding;
  if (clauses.length > 1 && answeredInPlace.test(between)) {
    // What one of the clauses expects is not what is wrong, and the sentence says the cause.
    const { expected, actual, place, cause, ...shown } = finding;
    // A quoted answer has no advice behind it: it says where it came.
    const where = /^\d/.test(between) ? (/, in [\d,]+ of .*/s.exec(finding.message)?.[0] ?? '') : '';
    return { sentence: `${between}${where.replace(',', ', as')}`, verdict, clauses, finding: shown };
  }
  const saysAll = clauses.length === 1 || findings.every(({ message }) => message === finding.message);
  return { sentence: saysAll ? finding.message : sentenceOf(findings, finding), verdict, clauses, finding };
}

/**
 * How hard a finding is to reproduce. What counts most: that a key must be put in by hand (`:?set` in its commands),
 * that it has no request, that it is a write, that the key goes into the query, that no cause is known, and last how
 * long the commands are.
 */
function effortOf({ request, curl = '', cause }: Finding): number {
  const write = request?.method === 'GET' ? 0 : 1e5;
  return (
    (curl.includes(':?set') ? 1e7 : 0) +
    (request === undefined ? 1e6 : write) +
    (/[?&]api_key=/.test(request?.url ?? '') ? 1e4 : 0) +
    (cause === undefined ? 5e3 : 0) +
    curl.length
  );
}

/** The findings, beginning with the one that is easiest to reproduce. */
export const simplestFirst = <F extends Finding>(findings: readonly F[]): readonly F[] =>
  findings.toSorted((a, b) => effortOf(a) - effortOf(b));

/**
 * The findings with those joined that say the same of several calls. A joined finding shows the exchange that is easiest
 * to repeat, and names the calls.
 */
export const joinAlike = (findings: readonly Finding[]): readonly Finding[] =>
  [...Map.groupBy(findings, (one) => (one.alike === undefined ? one : `${one.alike.what} ${one.cause}`)).values()].map(
    joinedOf,
  );

function joinedOf(group: readonly Finding[]): Finding {
  const [{ alike, ...finding } = { message: '' }] = simplestFirst(group);
  if (alike === undefined || group.length === 1) {
    return finding;
  }
  const calls = [...new Set(group.flatMap((one) => one.alike?.call ?? []))];
  return calls.length === 1
    ? { ...finding, message: `${alike.what}, on ${calls[0]}, ${thousands(group.length)} times` }
    : {
        ...finding,
        message: `${alike.what}, on ${counted(calls.length, 'endpoint')}: ${firstOf(calls, mostNamed)}`,
        calls,
      };
}

/** One sentence for findings that share a status or lack fields; `shown` is one of them. */
function sentenceOf(findings: readonly Finding[], shown: Finding): string {
  const { response, expected, place } = shown;
  if (place !== undefined) {
    const places = [...new Set(findings.flatMap((finding) => finding.place ?? []))];
    return `${counted(places.length, 'field')} absent: ${firstOf(places, 6)}, as on ${endpointOf(shown).join('')}`;
  }
  const names = [...new Set(findings.flatMap(endpointOf))];
  const status = response?.status ?? 0;
  const wanted = missingOrBroken(status, expected) ? '' : ` where ${expected} is expected`;
  const many = `${counted(names.length, 'documented endpoint')} ${names.length === 1 ? 'answers' : 'answer'}`;
  return `${many} ${status}${wanted}: ${firstOf(names, mostNamed)}`;
}

/**
 * The documented endpoints that a finding is about: those of its calls, or that of its request; the method and path of
 * an undocumented one. Empty without a request.
 */
function endpointOf({ request, calls }: Finding): readonly string[] {
  if (calls !== undefined) {
    return calls;
  }
  if (request === undefined) {
    return [];
  }
  const path = request.url.replace(/[?#].*/, '');
  const called = endpoints.find((one) => one.method === request.method && isPathOf(one, path));
  return [called?.id ?? `${request.method} ${path.replace(/^https?:\/\/[^/]+/, '')}`];
}

/**
 * The clauses that findings of inconclusive clauses blame: those that fail first, and of these the one for which most
 * clauses wait; `waiting`: their ids. A clause that is blamed but waits for another itself passes the blame on.
 */
export function firstStepsOf(results: readonly ClauseResult[]) {
  const blamed = new Map(
    results.flatMap(({ id, verdict, findings }) => {
      const to = verdict === 'inconclusive' ? findings.find(({ blames }) => blames !== undefined)?.blames : undefined;
      return to === undefined || to === id ? [] : [[id as string, to]];
    }),
  );
  const origin = (id: string, seen: readonly string[] = []): string => {
    const next = blamed.get(id);
    return next === undefined || seen.includes(next) ? id : origin(next, [...seen, next]);
  };
  const failed = new Set<string>(results.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : [])));
  return [...Map.groupBy(blamed.keys(), (id) => origin(id))]
    .map(([clause, waiting]) => ({ clause, waiting }))
    .sort((a, b) => Number(failed.has(b.clause)) - Number(failed.has(a.clause)) || b.waiting.length - a.waiting.length);
}

/**
 * `Fix developer.keys.create first (it blocks 21 clauses), then developer.inbox.draft (3)`; empty if no clause is blocked.
 */
export function firstStepsText(results: readonly ClauseResult[]): string {
  const [first, ...others] = firstStepsOf(results);
  if (first === undefined) {
    return '';
  }
  const then = others.slice(0, 2).map(({ clause, waiting }) => `${clause} (${waiting.length})`);
  const fix = `Fix ${first.clause} first (it blocks ${counted(first.waiting.length, 'clause')})`;
  return then.length === 0 ? fix : `${fix}, then ${then.join(', ')}`;
}
