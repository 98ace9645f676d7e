import { endpointOf } from '../../../../contract/endpoints.ts';
import { rowsIn } from '../../../reading/rows.ts';
import { read } from '../../../records/reads.ts';
import type { Answer } from '../../../session/answer.ts';
import { callOf } from '../../../session/call.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { firstKeyCreation, mainEnvironment } from '../../keys/creation.ts';
import { keysPath } from '../../keys/run-key.ts';
import { firstStory, rotatedStory } from '../../keys/story.ts';
import { seed } from '../../seeding.ts';
import { remarked } from '../bodies/bodies.ts';
import { postTwin, type Twin } from './post-twins.ts';

/** The plain call of a documented endpoint with the main key, sent once a run. Throws as the step that sends it. */
export async function twinOf(session: Session, endpoint: string): Promise<Twin> {
  const ofStep = sentBySteps[endpoint];
  if (ofStep !== undefined) {
    return ofStep(session);
  }
  return endpointOf(endpoint).method === 'GET'
    ? { answer: await read(session, endpoint) }
    : postTwin(session, endpoint);
}

/** Calls that other steps send: seeding, and the lives of keys. */
const sentBySteps: Readonly<Record<string, (session: Session) => Promise<Twin>>> = {
  'POST /api/v1/developer/sandbox/seed': async (session) => ({ answer: await seed(session) }),
  [`POST ${keysPath}`]: (session) => firstKeyCreation(session),
  [`GET ${keysPath}/:id/usage`]: async (session) => ({
    answer: (await firstStory(session)).usage('none'),
  }),
  [`DELETE ${keysPath}/:id`]: async (session) => ({ answer: (await firstStory(session)).deletion() }),
  [`POST ${keysPath}/:id/rotate`]: async (session) => ({
    answer: (await rotatedStory(session, mainEnvironment(session))).rotation().answer,
  }),
};

/** What a draft may call the first listed skill: its name, its id, and a numeric id as text. */
export async function namesOfKnownSkill(session: Session): Promise<readonly unknown[]> {
  const { payload } = await read(session, 'GET /api/v1/inbox/skills');
  const skill = rowsIn(payload, 'skill')?.[0];
  const id = skill?.id;
  return [skill?.slug ?? skill?.name, id, ...(typeof id === 'number' ? [String(id)] : [])];
}

/** The plain call of an endpoint with another key, sent once a run, with the mark of its environment in the body. */
export const twinWith = stepFor(
  (endpoint: string, key: ApiKey) => `${endpoint} ${key.label}`,
  async (session, endpoint, key): Promise<Answer> => {
    const { body } = await twinOf(session, endpoint);
    const marked = remarked(session, body, key.environment);
    return session.client.send(callOf(endpointOf(endpoint), key, { body: marked }));
  },
);
