import { at, findMainList } from '../../common/json.ts';
import { threadForms } from '../../fixtures/developer-bodies.ts';
import { Inconclusive } from '../../results/stop.ts';
import { accepted, cameOf, findingOn } from '../engine/expect.ts';
import { type Answer, callOf } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import { type Bodies, type Body, bodyFor, endpoint, firstAccepted, mainKey, marker, read, seed } from './calls.ts';
import { keyLife, rotatedKey } from './lifecycle.ts';
import { createdKey } from './make-key.ts';

/** An accepted call of an endpoint and the body it was made with: the twin of every call of it that must be refused. */
export interface Exemplar {
  readonly answer: Answer;
  readonly body?: unknown;
  /** The same body without an optional field that the deployment insists on: refused, though the field is optional. */
  readonly refusedWithout?: Answer;
}

/** The plain call of a documented endpoint with the main key, made once a run and shared by all clauses. */
export async function exemplar(session: Session, id: string): Promise<Exemplar> {
  const own = special[id];
  if (own) {
    return own(session);
  }
  return endpoint(id).method === 'GET' ? { answer: await read(session, id) } : posted(session, id);
}

/** Calls that are made in another way, or as a step of something longer. */
const special: Readonly<Record<string, (session: Session) => Promise<Exemplar>>> = {
  'POST /api/v1/developer/sandbox/seed': async (session) => ({ answer: await seed(session) }),
  'POST /api/v1/inbox/draft': (session) => draft(session),
  'POST /api/v1/content/generate': (session) => generated(session),
  'POST /api/v1/developer/keys': (session) => createdKey(session),
  'GET /api/v1/developer/keys/:id/usage': async (session) => ({
    answer: (await keyLife(session)).usage.none as Answer,
  }),
  'DELETE /api/v1/developer/keys/:id': async (session) => ({ answer: (await keyLife(session)).deleted }),
  'POST /api/v1/developer/keys/:id/rotate': async (session) => ({ answer: (await rotatedKey(session)).answer }),
};

/** A POST whose body the document does not show, with the user's body or a guessed one. */
const posted = (session: Session, id: string): Promise<Exemplar> =>
  session.once(id, () => firstAccepted(session, id, [bodyFor(session, id, 'accepted')]));

/** A draft from thread_context alone. The type of thread_context is not shown, so its likely forms are tried in turn. */
const draft = (session: Session): Promise<Exemplar> =>
  session.once('POST /api/v1/inbox/draft', () => {
    const id = 'POST /api/v1/inbox/draft';
    const [, ...others] = threadForms(session.seed, marker(session, 'accepted')).map((thread_context) => ({
      thread_context,
    }));
    const bodies: Bodies<Body> = [
      bodyFor(session, id, 'accepted') as Body,
      ...(id in session.userBodies ? [] : others),
    ];
    return fullerWhereRefused(session, id, bodies, [
      { tone: 'professional' },
      { skill: 'reply', tone: 'professional' },
    ]);
  });

/** Tries bodies; where all get 400, tries each with optional fields added, to tell a value not taken from a field insisted on. */
async function fullerWhereRefused(
  session: Session,
  id: string,
  bodies: Bodies<Body>,
  additions: readonly Body[],
): Promise<Exemplar> {
  const plain = await firstAccepted(session, id, bodies);
  if (plain.answer.status !== 400) {
    return plain;
  }
  for (const body of bodies) {
    for (const addition of additions) {
      const fuller = { ...body, ...addition };
      const answer = await post(session, id, fuller);
      if (accepted(answer)) {
        return { answer, body: fuller, refusedWithout: await post(session, id, body) };
      }
    }
  }
  return plain;
}

/** Content from topic, product and tone. Which products there are is not shown: the seed result and subscriptions may tell. */
const generated = (session: Session): Promise<Exemplar> =>
  session.once('POST /api/v1/content/generate', async () => {
    const id = 'POST /api/v1/content/generate';
    const body = bodyFor(session, id, 'accepted') as Body;
    const first = await firstAccepted(session, id, [body]);
    if (first.answer.status !== 400 || id in session.userBodies) {
      return first;
    }
    const products = await knownProducts(session);
    // A product may also be one of the six modules, by the name that the document has for it.
    const others = [...products, 'ads', 'content'].flatMap((product) => [
      { ...body, product },
      { ...body, product, tone: 'friendly' },
    ]);
    return fullerWhereRefused(session, id, [{ ...body, tone: 'friendly' }, ...others], [{ word_count: 300 }]);
  });

async function knownProducts(session: Session): Promise<readonly unknown[]> {
  const answer = await seed(session).catch(() => undefined);
  const products = at(answer?.json, '/data/products');
  return Array.isArray(products) ? products : [];
}

/** The first skill that the deployment lists, by its name and by its id: a draft may want one it knows. */
export async function knownSkill(session: Session): Promise<readonly unknown[]> {
  const answer = await read(session, 'GET /api/v1/inbox/skills');
  const skill = findMainList(at(answer.json, '/data'), 'skill')?.rows[0];
  return [skill?.slug ?? skill?.name, skill?.id];
}

/**
 * The call itself. Throws Inconclusive where a guessed body got 400: with the deployment's own message, and the BODIES
 * entry that would decide it.
 */
export function unlessGuess(id: string, call: Exemplar): Exemplar {
  const { answer } = call;
  if (answer.status !== 400) {
    return call;
  }
  throw new Inconclusive(
    findingOn(answer, {
      message: `${id} does not take the suite's body, and the document shows none: ${cameOf(answer)}`,
      expected: 'a body that the deployment takes',
      actual: cameOf(answer),
      cause: `Put a body that works into the file that BODIES names: {"${id}": {…}}`,
    }),
  );
}

/** Sends a documented POST with another body: what a variation of the exemplar gets. */
export const post = (session: Session, id: string, body: unknown): Promise<Answer> =>
  session.client.send(callOf(endpoint(id), mainKey(session), { body }));
