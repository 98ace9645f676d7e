import { counted, firstOf } from '../common/words.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { endpoints } from '../contract/endpoints.ts';
import type { ClauseResult, Finding, Verdict } from './verdict.ts';

/** Clauses that fail for one reason, told once. */
export interface RootCause {
  /** `24 documented endpoints answer 404: GET /api/v1/ads/campaigns, …`, or the finding's own message. */
  readonly sentence: string;
  readonly verdict: Verdict;
  readonly clauses: readonly ClauseResult[];
  /** The finding that shows it best. */
  readonly finding: Finding;
}

/** A clause that others wait for. */
export interface FirstStep {
  readonly clause: string;
  /** Ids of the clauses that cannot be decided before it holds. */
  readonly waiting: readonly string[];
}

/** Statuses that mean the same whatever was expected of the endpoint: it is not there, or it breaks. */
const missingOrBroken = (status: number): boolean => status === 404 || status === 405 || status >= 500;

/** How many clauses must share a status before it counts as one cause. */
const leastAlike = 3;
const mostNamed = 4;

/**
 * The failing clauses of one verdict by what is behind them, that which most clauses wait for first, then that of the most clauses,
 * and in each the clauses likewise, so that what to fix first stands first: alike are findings with the same
 * message, and, where at least three clauses share it, calls that got the same status, or fields that one answer lacks. A
 * clause whose findings differ stands for itself.
 */
export function rootCausesOf(results: readonly ClauseResult[], verdict: Verdict): readonly RootCause[] {
  const failing = results.filter((result) => result.verdict === verdict && result.findings.length > 0);
  const byAnswer = Map.groupBy(failing, ({ findings }) => shared(findings.map(answerKey)) ?? '');
  const alike = new Map<string, ClauseResult[]>();
  for (const result of failing) {
    const key = keyOf(result, byAnswer);
    alike.set(key, [...(alike.get(key) ?? []), result]);
  }
  const waiting = new Map(firstStepsOf(results).map((step) => [step.clause, step.waiting.length]));
  const heldUp = (result: ClauseResult | undefined): number => waiting.get(result?.id ?? '') ?? 0;
  return [...alike.values()]
    .map((clauses) => clauses.toSorted((a, b) => heldUp(b) - heldUp(a)))
    .sort((a, b) => heldUp(b[0]) - heldUp(a[0]) || b.length - a.length)
    .map((clauses) => causeOf(clauses, verdict));
}

function keyOf(result: ClauseResult, byAnswer: ReadonlyMap<string, readonly ClauseResult[]>): string {
  const answer = shared(result.findings.map(answerKey));
  if (answer !== null && (byAnswer.get(answer)?.length ?? 0) >= leastAlike) {
    return answer;
  }
  return shared(result.findings.map(({ message }) => `message ${message}`)) ?? `clause ${result.id}`;
}

/** The one value that all have, or null. */
const shared = (keys: readonly (string | null)[]): string | null =>
  keys.length > 0 && keys.every((key) => key === keys[0]) ? (keys[0] ?? null) : null;

/** A finding about a status as such, or about a field that is not in the answer. */
function answerKey({ request, response, expected, place, actual }: Finding): string | null {
  if (place?.startsWith('/') && actual === 'absent') {
    return `absent on ${request?.method} ${request?.url}`;
  }
  if (response === undefined || expected === undefined || place !== undefined) {
    return null;
  }
  return missingOrBroken(response.status) ? `status ${response.status}` : `status ${response.status} for ${expected}`;
}

function causeOf(clauses: readonly ClauseResult[], verdict: Verdict): RootCause {
  const findings = clauses.flatMap((clause) => clause.findings);
  const [finding = { message: '' }] = simplestFirst(findings);
  const told = findings.every(({ message }) => message === finding.message) || clauses.length < leastAlike;
  return { sentence: told ? finding.message : sentenceOf(findings, finding), verdict, clauses, finding };
}

/** What is hard to see again, or unexplained, comes later: what asks for a key, a write, a key in the query, a long request. */
function effortOf({ request, curl, cause }: Finding): number {
  const kind = request === undefined ? 1e6 : request.method === 'GET' ? 0 : 1e5;
  const mode = curl?.includes('api_key=') ? 1e4 : 0;
  return (curl?.includes(':?set') ? 1e7 : 0) + kind + mode + (cause === undefined ? 5e3 : 0) + (curl ?? '').length;
}

/** The findings, the one that is easiest to see again first. */
export const simplestFirst = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((a, b) => effortOf(a) - effortOf(b));

function sentenceOf(findings: readonly Finding[], shown: Finding): string {
  const { response, expected, place } = shown;
  if (place !== undefined) {
    const places = [...new Set(findings.flatMap((finding) => finding.place ?? []))];
    return `${counted(places.length, 'field')} absent: ${firstOf(places, 6)}, as on ${endpointOf(shown).join('')}`;
  }
  const names = [...new Set(findings.flatMap(endpointOf))];
  const status = response?.status ?? 0;
  const wanted = missingOrBroken(status) ? '' : ` where ${expected} is expected`;
  const many = `${counted(names.length, 'documented endpoint')} ${names.length === 1 ? 'answers' : 'answer'}`;
  return `${many} ${status}${wanted}: ${firstOf(names, mostNamed)}`;
}

const shapes = endpoints.map((endpoint) => ({
  endpoint,
  path: new RegExp(`${endpoint.path.replace(/:\w+/g, '[^/]+')}$`),
}));

/** The documented endpoint that a finding's request calls; nothing for other requests. */
function endpointOf({ request }: Finding): string[] {
  if (request === undefined) {
    return [];
  }
  const path = request.url.replace(/[?#].*/, '');
  const called = shapes.find(({ endpoint, path: shape }) => endpoint.method === request.method && shape.test(path));
  return [called === undefined ? `${request.method} ${path.replace(/^https?:\/\/[^/]+/, '')}` : idOf(called.endpoint)];
}

const idOf = ({ id }: Endpoint): string => id;

/**
 * The clauses that most others wait for, by what findings blame: a clause that is blamed but waits itself passes the blame
 * on. The one that the most wait for comes first.
 */
export function firstStepsOf(results: readonly ClauseResult[]): readonly FirstStep[] {
  const blamed = new Map(
    results.flatMap(({ id, verdict, findings }) => {
      const to = verdict === 'inconclusive' ? findings.find(({ blames }) => blames !== undefined)?.blames : undefined;
      return to === undefined || to === id ? [] : [[id as string, to]];
    }),
  );
  const origin = (id: string): string => {
    const seen = new Set<string>();
    let last = id;
    for (let next = blamed.get(last); next !== undefined && !seen.has(next); next = blamed.get(last)) {
      seen.add(next);
      last = next;
    }
    return last;
  };
  return [...Map.groupBy(blamed.keys(), origin)]
    .map(([clause, waiting]) => ({ clause, waiting }))
    .sort((a, b) => b.waiting.length - a.waiting.length);
}

/** `Fix first: developer.keys.create; 21 clauses wait for it; then developer.inbox.draft (3)`; empty where none waits. */
export function firstStepsText([first, ...others]: readonly FirstStep[]): string {
  if (first === undefined) {
    return '';
  }
  const many = first.waiting.length;
  const then = others.slice(0, 2).map(({ clause, waiting }) => `${clause} (${waiting.length})`);
  return [
    `Fix first: ${first.clause}; ${counted(many, 'clause')} ${many === 1 ? 'waits' : 'wait'} for it`,
    ...(then.length === 0 ? [] : [`then ${then.join(', ')}`]),
  ].join('; ');
}
