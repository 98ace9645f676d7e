import { show } from '../../../common/schema.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { judged, type Outcome } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import { settle } from '../../engine/check.ts';
import { expectStatus, findingOn } from '../../engine/expect.ts';
import { isOwnError } from '../../reading/own-error.ts';
import { workingRead } from '../../records/reads.ts';
import type { Answer, ApiKey } from '../../session/call.ts';
import { mainKey, type Session } from '../../session/session.ts';
import { cutOff } from './refusals.ts';

/** How an API's unknown path is judged, and which undocumented calls are made along with it. */
interface StrayCalls {
  /** What the body of a 404 must be, in words. */
  readonly expected: string;
  /** The root of a module, whose router may answer unknown paths below it in its own way. */
  readonly module?: string;
  /** A documented path with a method that it does not have. */
  readonly wrongMethod: { readonly method: string; readonly path: string };
  /** An endpoint that is sent too large a body. */
  readonly oversized: string;
  /** Keys with which the unknown path is called besides the main key. */
  readonly otherKeys?: readonly ApiKey[];
}

/** Judges that an unknown path gets 404 in the API's own form. Throws Inconclusive where no known path can be read. */
export async function judgeUnknownPath(
  session: Session,
  { expected, module, otherKeys = [], ...stray }: StrayCalls,
): Promise<Outcome> {
  await workingRead(session);
  const call = (method: string, path: string, key = mainKey(session)): Promise<Answer> =>
    session.client.send({ method, path, key, purpose: 'off-document', ...(method === 'GET' ? {} : { body: {} }) });
  const callUnknown = (root: string, key?: ApiKey): Promise<Answer> =>
    call('GET', `${root}/${session.tag}-unknown`, key);
  // The last two are made for the clauses that judge every response.
  const [unknown] = await Promise.all([
    Promise.all([
      callUnknown(session.api.root),
      ...(module === undefined ? [] : [callUnknown(module)]),
      ...otherKeys.map((key) => callUnknown(session.api.root, key)),
    ]),
    settle(call(stray.wrongMethod.method, stray.wrongMethod.path)),
    settle(sendOversized(session, stray.oversized)),
  ]);
  return judged(
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

/** Bytes: more than the usual default limits of web frameworks and proxies (100 kB to 1 MiB). */
const oversizedLength = 1_250_000;

/** Sends a body that is too large, and no JSON: a deployment that accepts any size must not make such a record. */
async function sendOversized(session: Session, endpoint: string): Promise<void> {
  const call = await session.api.arrange(session, endpointOf(endpoint), 'a body too large');
  const padding = 'x'.repeat(oversizedLength);
  await call.send({
    purpose: 'off-document',
    reshape: (body) => cutOff.reshape({ ...Object(body), padding }),
  });
}
