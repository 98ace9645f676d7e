import { developerEndpoints } from '../../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { createTally, type Outcome, type Tally } from '../../../results/outcome.ts';
import { judgePart } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import type { Arranged, Difference } from '../../session/api.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { judgeRefusal } from '../../shared/refusals/refusals.ts';
import { keysOfBothEnvironments } from './environments.ts';

/** A body that no call takes. */
interface OddBody {
  readonly what: string;
  readonly reshape: NonNullable<Difference['reshape']>;
}

const posts = developerEndpoints.filter(({ body }) => body !== undefined);

/** Ways in which a text is no JSON: the accepted body cut off before its end, and one whose names stand without quotes. */
const broken: readonly OddBody[] = [
  { what: 'Body that is not JSON', reshape: (body) => JSON.stringify(body).slice(0, -1) },
  { what: 'Body that is not JSON', reshape: (body) => JSON.stringify(body).replaceAll('"', '') },
];

const notObjects: readonly OddBody[] = [
  { what: 'Body that is null', reshape: () => 'null' },
  { what: 'Body that is a list', reshape: (body) => [body] },
];

/** A body that is not JSON gets 400, on every POST that takes a body. */
export const judgeBrokenBodies = (session: Session): Promise<Outcome> =>
  judgeOddBodies(session, 'a broken body', posts, (index) => broken.slice(index % broken.length).slice(0, 1));

/** A body that is JSON and no object gets 400, where fields are required. */
export const judgeNotAnObject = (session: Session): Promise<Outcome> => {
  const demanding = posts.filter(({ body }) => body?.some(({ required }) => required) === true);
  return judgeOddBodies(session, 'no object', demanding, () => notObjects);
};

async function judgeOddBodies(
  session: Session,
  label: string,
  endpoints: readonly Endpoint[],
  bodiesFor: (index: number) => readonly OddBody[],
): Promise<Outcome> {
  const tally = createTally();
  await Promise.all(
    endpoints.map((endpoint, index) =>
      judgePart(tally, () => judgeEndpoint(session, tally, { endpoint, label, bodies: bodiesFor(index) })),
    ),
  );
  return tally.outcome();
}

async function judgeEndpoint(
  session: Session,
  tally: Tally,
  {
    endpoint,
    label,
    bodies,
  }: { readonly endpoint: Endpoint; readonly label: string; readonly bodies: readonly OddBody[] },
): Promise<void> {
  const call = await session.api.arrange(session, endpoint, label);
  const [key] = await keysOfBothEnvironments(session, endpoint.id);
  for (const { what, reshape } of bodies) {
    const probe = await sendWith(call, key, { purpose: 'off-document', reshape });
    judgeRefusal(tally, {
      probe,
      twin: await call.twin(),
      endpoint,
      status: 400,
      what: `${what} is not refused with 400`,
    });
  }
}

/** Sends a call with a key of the run's; with the main key, that of the twin, where the other is kept out. */
export async function sendWith(call: Arranged, key: ApiKey, difference: Difference): Promise<Answer> {
  const answer = await call.send({ ...difference, key });
  return [401, 403].includes(answer.status) ? call.send(difference) : answer;
}
