import { at } from '../../../common/json.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { resultOrNull } from '../../engine/parts.ts';
import { type Body, learnBody, type Recipe, recipesFor, refusesGuess } from '../../records/bodies.ts';
import { read } from '../../records/reads.ts';
import type { Answer } from '../../session/answer.ts';
import { callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { firstKeyCreation, mainEnvironment } from '../keys/creation.ts';
import { keysPath } from '../keys/run-key.ts';
import { firstStory, rotatedStory } from '../keys/story.ts';
import { seed, trySeeding } from '../seeding.ts';
import { filledFor, remarked } from './bodies.ts';

/** The plain call of an endpoint: the twin of every call to it that should be refused. */
export interface Twin {
  readonly answer: Answer;
  readonly body?: unknown;
  /** How its body was made. */
  readonly recipe?: Recipe;
  /** The answer to the same body without an optional field, where the deployment refuses it for that. */
  readonly refusedWithout?: Answer;
}

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

/** The plain call of an endpoint with another key, sent once a run, with the mark of its environment in the body. */
export const twinWith = stepFor(
  (endpoint: string, key: ApiKey) => `${endpoint} ${key.label}`,
  async (session, endpoint, key): Promise<Answer> => {
    const { body } = await twinOf(session, endpoint);
    const marked = remarked(session, body, key.environment);
    return session.client.send(callOf(endpointOf(endpoint), key, { body: marked }));
  },
);

/** What may be added to the bodies whose fields are documented: a deployment may insist on an optional field. */
const optional: Readonly<Record<string, readonly Body[]>> = {
  'POST /api/v1/inbox/draft': [{ tone: 'professional' }, { skill: 'reply', tone: 'professional' }],
  'POST /api/v1/content/generate': [{ word_count: 300 }],
};

/** The plain POST of a module with the main key, sent once a run: with the user's body, or with likely ones in turn. */
const postTwin = stepFor(
  (endpoint: string) => endpoint,
  async (session, endpoint): Promise<Twin> => {
    // A body may name a record that seeding creates.
    await trySeeding(session);
    const additions = optional[endpoint];
    const sendBody = async (recipe: Recipe): Promise<Twin & { readonly recipe: Recipe }> => {
      const body = filledFor(session, recipe);
      return { answer: await send(session, endpoint, { body }), body, recipe };
    };
    const learnt = await learnBody(endpoint, recipesFor(session, endpoint), {
      send: sendBody,
      isRefused: refusesGuess,
      // Documented fields are not added to, nor dropped.
      isRepaired: additions === undefined,
    });
    if (learnt === null) {
      throw new Error(`No body is known for ${endpoint}`);
    }
    return learnt.isRefused && !learnt.recipe.isUsers && additions !== undefined
      ? ((await withAdditions(session, endpoint, additions, sendBody)) ?? learnt.sent)
      : learnt.sent;
  },
);

/** Tries products that the deployment shows, and optional fields; null: no body is accepted. */
async function withAdditions(
  session: Session,
  endpoint: string,
  additions: readonly Body[],
  sendBody: (recipe: Recipe) => Promise<Twin>,
): Promise<Twin | null> {
  const products = endpoint === 'POST /api/v1/content/generate' ? await knownProducts(session) : [];
  for (const fields of [...products.map((product) => ({ product })), ...additions]) {
    for (const recipe of recipesFor(session, endpoint)) {
      const twin = await sendBody({ ...recipe, template: { ...recipe.template, ...fields } });
      if (twin.answer.accepted) {
        return additions.includes(fields) ? { ...twin, refusedWithout: (await sendBody(recipe)).answer } : twin;
      }
    }
  }
  return null;
}

/** The first products of the seed result: which products content can be about is open. */
async function knownProducts(session: Session): Promise<readonly unknown[]> {
  const seedResult = await resultOrNull(seed(session));
  const shown = seedResult?.accepted ? seedResult : await read(session, 'GET /api/v1/developer/sandbox/seed');
  const products = at(shown.json, '/data/products');
  return Array.isArray(products) ? products.slice(0, 2) : [];
}
