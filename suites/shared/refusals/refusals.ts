import { show } from '../../../common/words.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { isOwnError } from '../../../results/likely-cause.ts';
import { Inconclusive, type Tally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import { settle } from '../../engine/check.ts';
import { describeAnswer, describeUnaccepted, expectStatus, findingOn, undecided } from '../../engine/expect.ts';
import { mentions } from '../../reading/own-words.ts';
import { refusesBody } from '../../records/bodies.ts';
import { readPages, workingRead } from '../../records/reads.ts';
import type { ArrangedCall, Difference } from '../../session/api.ts';
import type { Answer, ApiKey } from '../../session/call.ts';
import { mainKey, type Session } from '../../session/session.ts';

/** The answers to a call that must be refused, and to its twin, the accepted call that differs in one thing only. */
export interface Refusal {
  readonly probe: Answer;
  readonly twin: Answer;
  readonly endpoint: Endpoint;
  /** The status that the probe must get. */
  readonly status: number;
  /** What was sent, for the finding where it does not: `A call without a key`. */
  readonly what: string;
}

const hidden = 'The deployment hides what the key may not use, as GitHub does: the document says 403';

/**
 * Judges a refusal beside its twin. A refusal whose twin was not accepted proves nothing, so it leaves its part open.
 * So do a probe without an answer, and one that met a limit, although that was waited for. But where the twin's body is
 * refused, the key was checked before: a 401 or 403 in place of the other is wrong.
 */
export function judgeRefusal(tally: Tally, { probe, twin, endpoint, status, what }: Refusal): void {
  const isAboutKey = probe.status === 401 || probe.status === 403;
  const isWrongForKey = probe.status !== status && isAboutKey && refusesBody(twin);
  const came = { expected: String(status), actual: describeAnswer(probe) };
  if (probe.status === 429) {
    const message = `Cannot judge ${endpoint.id}: a rate limit answered first: ${came.actual}`;
    tally.leaveOpen(findingOn(probe, { message, ...came, advice: 'Run while nothing else uses the account' }));
  } else if (probe.accepted || twin.accepted || isWrongForKey) {
    const finding = expectStatus(probe, status, what);
    tally.judge(finding && { ...finding, ...(status === 403 && probe.status === 404 ? { cause: hidden } : {}) });
  } else {
    const message = `Cannot judge refusals on ${endpoint.id}: the control call, which must be accepted, got ${describeUnaccepted(twin)}`;
    tally.leaveOpen(findingOn(probe, { message, ...came, blames: endpoint.clause }));
  }
}

/**
 * The reads among the endpoints whose parameters have a documented vocabulary or a number, each with one of them: other
 * code may answer these than the call without.
 */
export const withParameter = (endpoints: readonly Endpoint[]) =>
  endpoints.flatMap(({ id, query }) => {
    const known = query.find(({ values, type }) => values !== undefined || type === 'integer');
    return known === undefined ? [] : [{ id, query: { [known.name]: known.values?.[0] ?? 1 } }];
  });

// --- Bodies that no call accepts

/** A body that no call accepts. */
export interface OddBody {
  /** Its name in findings: `A body that is not JSON`. */
  readonly what: string;
  readonly reshape: NonNullable<Difference['reshape']>;
  /** Default: off-document, since no rule of the documents holds for what answers a text that is no JSON. */
  readonly purpose?: 'refusal';
}

/** The accepted body, cut off before its last brace. */
export const cutOff: OddBody = {
  what: 'A body that is not JSON',
  reshape: (body) => JSON.stringify(body).slice(0, -1),
};
/** The accepted body, and text behind it: some parsers stop at the end of the first value. */
export const continued: OddBody = {
  what: 'A body with text behind its JSON',
  reshape: (body) => `${JSON.stringify(body)} and more`,
};
export const bodyNull: OddBody = { what: 'A null body', reshape: () => 'null' };

/** Judges that bodies which no call accepts get 400 beside the accepted call; `how` follows their names in findings. */
export async function judgeOddBodies(
  tally: Tally,
  { endpoint, send, twin }: ArrangedCall,
  bodies: readonly OddBody[],
  how = '',
): Promise<void> {
  await tally.inTurn(bodies, async ({ what, reshape, purpose }) => {
    const probe = await send({ purpose: purpose ?? 'off-document', reshape });
    judgeRefusal(tally, { probe, twin: await twin(), endpoint, status: 400, what: `${what}${how}` });
  });
}

// --- Calls that no document shows

/** How an API's unknown path is judged, and which undocumented call is made along with it. */
interface StrayCalls {
  /** What the body of a 404 must be, in words. */
  readonly expected: string;
  /** The root of a module, whose router may answer unknown paths below it in its own way. */
  readonly module?: string;
  /** Keys besides the main one, for whose environments other code may answer. */
  readonly others?: readonly ApiKey[];
  /** A documented path with a method that it does not have. */
  readonly wrongMethod: { readonly method: string; readonly path: string };
}

/** Judges that an unknown path gets 404 in the API's own form. Throws Inconclusive where no known path can be read. */
export async function judgeUnknownPath(
  session: Session,
  tally: Tally,
  { expected, module, others = [], wrongMethod }: StrayCalls,
): Promise<void> {
  await workingRead(session);
  const call = (method: string, path: string, key = mainKey(session)): Promise<Answer> =>
    session.client.send({ method, path, key, purpose: 'off-document', ...(method === 'GET' ? {} : { body: {} }) });
  const callUnknown = (root: string, key?: ApiKey): Promise<Answer> =>
    call('GET', `${root}/${session.tag}-unknown`, key);
  // The last is made for the clauses that judge every response.
  const [unknown] = await Promise.all([
    Promise.all([
      callUnknown(session.api.root),
      ...(module === undefined ? [] : [callUnknown(module)]),
      ...others.map((key) => callUnknown(session.api.root, key)),
    ]),
    settle(call(wrongMethod.method, wrongMethod.path)),
  ]);
  tally.judge(
    ...unknown.map(
      (answer) => expectStatus(answer, 404, 'A call to an unknown path') ?? foreignBody(session, answer, expected),
    ),
  );
}

/** The finding on an answer that is not in the API's own form; null: it is. One that could not be read is left open. */
function foreignBody({ api }: Session, answer: Answer, expected: string): Finding | null {
  const { exchange, json, text } = answer;
  const actual = show(json ?? text, 60);
  return isOwnError(api.name, json)
    ? null
    : findingOn(exchange.failure === null ? answer : { exchange, status: 0 }, {
        message: `An unknown path does not get the API's error format: ${exchange.failure?.message ?? actual}`,
        expected,
        actual,
        place: 'body',
        cause: "The framework's default handler answers",
      });
}

// --- What a refused write leaves behind

/** A write that must be refused. */
export interface MarkedWrite {
  readonly endpoint: string;
  readonly probe: Answer;
  /** Stand in its body, where it has one, and nowhere else. */
  readonly words: string;
}

/** The list that would show what a write makes. */
interface Witness {
  readonly list: string;
  /** Words of an accepted write: a list that does not show them proves nothing. */
  readonly twinWords: string;
  /** Reads the list. Default: the main key. */
  readonly reader?: ApiKey;
  /** The clause by which the writes are refused. */
  readonly blames: string;
}

/**
 * Those of the writes that were refused for their key, once they would show, if they took effect: after KEY_SETTLE_MS.
 * Throws Inconclusive where there is none.
 */
export async function settledRefusals<W extends Pick<MarkedWrite, 'probe'>>(
  { clock, settings }: Session,
  writes: readonly W[],
  blames: string,
): Promise<readonly W[]> {
  const refused = writes.filter(({ probe: { status } }) => status === 401 || status === 403);
  const [first] = writes;
  if (refused.length === 0) {
    const message = 'Cannot tell what a refused write leaves behind: none was refused with 401 or 403';
    throw first === undefined
      ? new Inconclusive({ message, blames })
      : undecided(first.probe, `${message}, but got ${describeAnswer(first.probe)}`, blames);
  }
  const last = Math.max(...refused.map(({ probe }) => probe.exchange.receivedAt));
  await clock.sleep(last + settings.KEY_SETTLE_MS - clock.now());
  return refused;
}

/**
 * Judges that refused writes left nothing: a list that shows an accepted one shows none of their words. Gives those
 * whose words are shown. Throws as `settledRefusals` does.
 */
export async function judgeLeftNothing(
  session: Session,
  tally: Tally,
  writes: readonly MarkedWrite[],
  { list, twinWords, reader = mainKey(session), blames }: Witness,
): Promise<readonly MarkedWrite[]> {
  const refused = await settledRefusals(session, writes, blames);
  const pages = await readPages(session, list, { key: reader });
  const pageWith = (words: string): Answer | undefined =>
    pages.find(({ answer }) => mentions(answer.json, words))?.answer;
  const shown = refused.filter(({ words }) => pageWith(words) !== undefined);
  // Seeding may have emptied the sandbox since the list showed the accepted one.
  const showed = ({ endpoint, response }: Exchange): boolean =>
    endpoint === list && mentions(response?.json, twinWords);
  const showsAccepted = session.evidence.exchanges.some(showed);
  if (!showsAccepted && shown.length < refused.length) {
    const message = `Cannot tell what a refused write leaves behind: ${list} does not show an accepted one either`;
    tally.leaveOpen(findingOn(pages[0].answer, { message }));
  }
  for (const { endpoint, probe, words } of showsAccepted ? refused : shown) {
    const shownBy = pageWith(words);
    judgeEffect(tally, { endpoint, status: probe.status }, shownBy ? { shownBy, how: `${list} shows ${words}` } : null);
  }
  return shown;
}

/** What shows that a write took effect, and how, in words. */
export interface Effect {
  readonly shownBy: Answer;
  readonly how: string;
}

/** Judges that a write which got this status, or several that got one of these, had no effect. */
export function judgeEffect(
  tally: Tally,
  { endpoint, status }: { readonly endpoint: string; readonly status: number | string },
  effect: Effect | null,
): void {
  const message = `${endpoint} took effect although it got ${status}: ${effect?.how}`;
  const came = { expected: 'no effect', actual: effect?.how ?? 'none' };
  tally.judge(effect && findingOn(effect.shownBy, { message, ...came }));
}
