import { at } from '../../../../common/json.ts';
import { threadForms } from '../../../../fixtures/developer-bodies.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { step, stepFor } from '../../../session/step.ts';
import { read } from '../../../shared/reads.ts';
import { acceptedMark, type Body, bodyFor } from '../bodies/bodies.ts';
import { seed } from '../data/seeding.ts';
import { firstAccepted } from './first-accepted.ts';
import { learnFrom, learntBody } from './learnt-body.ts';

/** The plain call of an endpoint: the twin of every call to it that should be refused. */
export interface Twin {
  readonly answer: Answer;
  readonly body?: unknown;
  /** The answer to the same body without an optional field, where the deployment refuses it for that. */
  readonly refusedWithout?: Answer;
  /** The refusal of the body that was changed the furthest as refusals ask. */
  readonly furthest?: Answer;
}

/** The plain POST of a module with the main key, sent once a run. */
export function postTwin(session: Session, endpoint: string): Promise<Twin> {
  const withDocumentedFields = { 'POST /api/v1/inbox/draft': draft, 'POST /api/v1/content/generate': generate }[
    endpoint
  ];
  return withDocumentedFields?.(session) ?? withLearntBody(session, endpoint);
}

const withLearntBody = stepFor(
  (endpoint: string) => endpoint,
  (session, endpoint): Promise<Twin> => learntBody(session, endpoint),
);

/** A draft from thread_context alone. The document does not show its type, so its likely forms are tried in turn. */
const draft = step((session): Promise<Twin> => {
  const endpoint = 'POST /api/v1/inbox/draft';
  const [, ...others] = threadForms(session.seed, acceptedMark(session)).map((thread_context) => ({ thread_context }));
  const bodies = [bodyFor(session, endpoint) as Body, ...(endpoint in session.userBodies ? [] : others)] as const;
  return tryWithAdditions(session, endpoint, bodies, [
    { tone: 'professional' },
    { skill: 'reply', tone: 'professional' },
  ]);
});

/** Tries bodies; where all get 400, each with optional fields added: the deployment may insist on those. */
async function tryWithAdditions(
  session: Session,
  endpoint: string,
  bodies: readonly [Body, ...Body[]],
  additions: readonly Body[],
): Promise<Twin> {
  const tried = await firstAccepted(session, endpoint, bodies);
  const plain = await learnFrom(session, endpoint, tried, { among: Object.keys(bodies[0]) });
  if (plain.answer.status !== 400) {
    return plain;
  }
  for (const body of bodies) {
    for (const addition of additions) {
      const fuller = { ...body, ...addition };
      const answer = await send(session, endpoint, { body: fuller });
      if (answer.accepted) {
        return { answer, body: fuller, refusedWithout: await send(session, endpoint, { body }) };
      }
    }
  }
  return plain;
}

/** Content from topic, product and tone. Which products there are is open: those of the seed result are tried, too. */
const generate = step(async (session): Promise<Twin> => {
  const endpoint = 'POST /api/v1/content/generate';
  const body = bodyFor(session, endpoint) as Body;
  const tried = await firstAccepted(session, endpoint, [body]);
  const first = await learnFrom(session, endpoint, tried, { among: ['topic', 'product', 'tone'] });
  if (first.answer.status !== 400 || endpoint in session.userBodies) {
    return first;
  }
  const others = [...(await knownProducts(session)), 'ads', 'content'].flatMap((product) => [
    { ...body, product },
    { ...body, product, tone: 'friendly' },
  ]);
  const bodies = [{ ...body, tone: 'friendly' }, ...others] as const;
  const other = await tryWithAdditions(session, endpoint, bodies, [{ word_count: 300 }]);
  return other.answer.status === 400 ? first : other;
});

async function knownProducts(session: Session): Promise<readonly unknown[]> {
  const seedResult = await resultOrNull(seed(session));
  const shown = seedResult?.accepted ? seedResult : await read(session, 'GET /api/v1/developer/sandbox/seed');
  const products = at(shown.json, '/data/products');
  return Array.isArray(products) ? products : [];
}
