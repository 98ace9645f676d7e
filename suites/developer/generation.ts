import { createTally, type Tally } from '../../results/outcome.ts';
import type { Checks } from '../engine/engine.ts';
import { accepted, cameOf, expectAccepted, findingOn } from '../engine/expect.ts';
import { partly } from '../engine/partly.ts';
import type { Answer } from '../session/call.ts';
import { callOf } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import { type Body, endpoint, mainKey } from './calls.ts';
import { exemplar, knownSkill, post } from './exemplars.ts';
import { judgeRefusal } from './refusals.ts';

const draft = 'POST /api/v1/inbox/draft';
const generate = 'POST /api/v1/content/generate';

/** Drafts and generated content: the two calls whose bodies are documented. */
export const generation: Checks = {
  'developer.inbox.draft': async (session) => {
    const tally = createTally();
    const { answer, body, refusedWithout } = await exemplar(session, draft);
    if (!judgeMain(tally, draft, refusedWithout ?? answer, refusedWithout !== undefined)) {
      return tally.outcome();
    }
    await partly(tally, () => judgeSkillAndTone(session, tally, body as Body));
    return tally.outcome();
  },

  'developer.inbox.draft-validation': async (session) => {
    const tally = createTally();
    await Promise.all(
      [{}, { tone: 'professional' }].map((added) => judgeMissing(session, tally, draft, 'thread_context', added)),
    );
    return tally.outcome();
  },

  'developer.content.generate': async (session) => {
    const tally = createTally();
    const { answer, body, refusedWithout } = await exemplar(session, generate);
    if (!judgeMain(tally, generate, refusedWithout ?? answer, refusedWithout !== undefined)) {
      return tally.outcome();
    }
    const counted = await post(session, generate, { ...(body as Body), word_count: 300 });
    tally.judge(expectAccepted(counted, `${generate} does not take word_count`));
    return tally.outcome();
  },

  'developer.content.generate-validation': async (session) => {
    const tally = createTally();
    await Promise.all(['topic', 'product', 'tone'].map((field) => judgeMissing(session, tally, generate, field)));
    return tally.outcome();
  },
};

/**
 * Whether the plain call was accepted. The values that its fields may have are not shown, so a 400 leaves it open, unless
 * the same values were taken with an optional field added (`insists`).
 */
function judgeMain(tally: Tally, id: string, answer: Answer, insists: boolean): boolean {
  if (answer.status === 400 && !insists) {
    tally.leaveOpen(
      findingOn(answer, {
        message: `${id} takes none of the suite's values for its documented fields: ${cameOf(answer)}`,
        expected: '2xx',
        actual: cameOf(answer),
        cause: `Put a body that works into the file that BODIES names: {"${id}": {…}}`,
      }),
    );
    return false;
  }
  tally.judge(
    insists
      ? expectAccepted(answer, `${id} insists on an optional field, with which the same values are taken`)
      : expectAccepted(answer),
  );
  return accepted(answer);
}

const notTaken = ({ status }: Answer): boolean => status === 400 || status === 404;

/** skill and tone added to a body that works: which values they take is not shown, so likely ones are tried in turn. */
async function judgeSkillAndTone(session: Session, tally: Tally, body: Body): Promise<void> {
  const known = await knownSkill(session);
  let answer = await post(session, draft, { ...body, skill: 'reply', tone: 'professional' });
  for (const [i, tone] of ['friendly', 'formal'].entries()) {
    if (notTaken(answer)) {
      answer = await post(session, draft, { ...body, skill: known[i] ?? 'reply', tone });
    }
  }
  if (notTaken(answer)) {
    tally.leaveOpen(
      findingOn(answer, {
        message: `${draft} takes none of the suite's values for skill and tone: ${cameOf(answer)}`,
        cause: 'Put a body with skill and tone that works into the file that BODIES names',
      }),
    );
  } else {
    tally.judge(expectAccepted(answer, `${draft} does not succeed with skill and tone`));
  }
}

/** A body that works but for one required field gets 400. */
async function judgeMissing(
  session: Session,
  tally: Tally,
  id: string,
  field: string,
  added: Body = {},
): Promise<void> {
  await partly(tally, async () => {
    const { answer: twin, body } = await exemplar(session, id);
    const { [field]: _, ...rest } = { ...(body as Body), ...added };
    const probe = await session.client.send(callOf(endpoint(id), mainKey(session), { body: rest, purpose: 'refusal' }));
    judgeRefusal(tally, {
      probe,
      twin,
      endpoint: endpoint(id),
      status: 400,
      what: `Body without ${field} is not refused with 400`,
    });
  });
}
