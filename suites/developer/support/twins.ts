import { at } from '../../../common/json.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { describeAnswer, findingOn } from '../../engine/expect.ts';
import type { Answer } from '../../session/answer.ts';
import { rowsIn } from '../../session/reading/rows.ts';
import type { Session } from '../../session/session.ts';
import { read } from '../../shared/reads.ts';
import { firstDeleted, usageFor } from './key-life.ts';
import { createdKey, ownEnvironment } from './make-key.ts';
import { keysPath } from './own-key.ts';
import { postTwin, type Twin } from './post-twins.ts';
import { rotationIn } from './rotation.ts';
import { seed } from './seeding.ts';

/** The plain call of a documented endpoint with the main key, made once a run and shared by all clauses. */
export async function twinOf(session: Session, endpoint: string): Promise<Twin> {
  const make = special[endpoint];
  if (make !== undefined) {
    return make(session);
  }
  return endpointOf(endpoint).method === 'GET'
    ? { answer: await read(session, endpoint) }
    : postTwin(session, endpoint);
}

/** Calls that are made in another way, or as a step of something longer. */
const special: Readonly<Record<string, (session: Session) => Promise<Twin>>> = {
  'POST /api/v1/developer/sandbox/seed': async (session) => ({ answer: await seed(session) }),
  [`POST ${keysPath}`]: (session) => createdKey(session),
  [`GET ${keysPath}/:id/usage`]: async (session) => ({ answer: await usageFor(session, 'none') }),
  [`DELETE ${keysPath}/:id`]: async (session) => ({ answer: await firstDeleted(session) }),
  [`POST ${keysPath}/:id/rotate`]: async (session) => ({
    answer: (await rotationIn(session, ownEnvironment(session))).answer,
  }),
};

/** The first skill that the deployment lists, by its name and by its id, as a number and as text: a draft may want one it knows. */
export async function knownSkill(session: Session): Promise<readonly unknown[]> {
  const { json } = await read(session, 'GET /api/v1/inbox/skills');
  const skill = rowsIn(at(json, '/data'), 'skill')?.[0];
  const id = skill?.id;
  return [skill?.slug ?? skill?.name, id, ...(typeof id === 'number' ? [String(id)] : [])];
}

/** A 400 to a body of the suite's own: with the deployment's own words, and the BODIES entry that would decide it. */
export const bodyRefused = (endpoint: string, answer: Answer, message: string): Inconclusive =>
  new Inconclusive(
    findingOn(answer, {
      message: `${endpoint} ${message}: ${describeAnswer(answer)}`,
      expected: 'a body that the deployment accepts',
      actual: describeAnswer(answer),
      cause: `Put a body that works into the file that BODIES names: {"${endpoint}": {…}}`,
    }),
  );
