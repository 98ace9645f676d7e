import { createTally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Checks } from '../engine/check.ts';
import { describeAnswer, expectAccepted, findingOn } from '../engine/expect.ts';
import type { Answer } from '../session/answer.ts';
import type { Session } from '../session/session.ts';
import type { Body, Tried } from './support/calls/bodies.ts';
import { judgeMissingFields, judgePlainBody } from './support/calls/documented-bodies.ts';
import { learnFrom } from './support/calls/learnt-body.ts';
import { knownSkill, twinOf } from './support/calls/twins.ts';
import { keysOfBothEnvironments, sendAs } from './support/data/environments.ts';
import { postSucceeds, readSucceeds } from './support/plain-checks.ts';

const draft = 'POST /api/v1/inbox/draft';

/** AI email. */
export const inbox: Checks = {
  'developer.inbox.draft': async (session) => {
    const tally = createTally();
    const twin = await twinOf(session, draft);
    if (judgePlainBody(tally, draft, twin)) {
      const answer = await withSkillAndTone(session, twin.body as Body);
      if (isNotTaken(answer) && !(await areTakenAlone(session, twin.body as Body))) {
        throw notTaken(answer);
      }
      tally.judge(expectAccepted(answer, `${draft} does not succeed with skill and tone`));
    }
    return tally.outcome();
  },

  'developer.inbox.draft-validation': (session) =>
    judgeMissingFields(session, draft, [
      { missing: 'thread_context' },
      { missing: 'thread_context', added: { tone: 'professional' } },
    ]),

  'developer.inbox.categorize': postSucceeds('POST /api/v1/inbox/categorize'),
  'developer.inbox.skills': readSucceeds('GET /api/v1/inbox/skills'),
  'developer.inbox.skills-learn': postSucceeds('POST /api/v1/inbox/skills/learn'),
};

const isNotTaken = ({ status }: Answer): boolean => status === 400 || status === 404;

const first = { skill: 'reply', tone: 'professional' };

/** Whether each is taken alone that is not taken beside the other. */
async function areTakenAlone(session: Session, body: Body): Promise<boolean> {
  const [key] = await keysOfBothEnvironments(session, draft);
  const alone = Object.entries(first).map(([name, value]) => sendAs(session, draft, key, { ...body, [name]: value }));
  return (await Promise.all(alone)).every(({ accepted }) => accepted);
}

/**
 * skill and tone added to a body that works: which values they take is not shown, so likely ones are tried in turn, and what the
 * refusals say. Where none is taken it gives the first answer.
 */
async function withSkillAndTone(session: Session, body: Body): Promise<Answer> {
  const skills = await knownSkill(session);
  const [key] = await keysOfBothEnvironments(session, draft);
  const send = async (fuller: Body): Promise<Tried> => ({
    answer: await sendAs(session, draft, key, fuller),
    body: fuller,
  });
  const asFirst = await send({ ...body, ...first });
  let tried = asFirst;
  for (const [index, skill = 'reply'] of skills.entries()) {
    if (isNotTaken(tried.answer)) {
      tried = await send({ ...body, skill, tone: index === 0 ? 'friendly' : 'formal' });
    }
  }
  const { answer } = await learnFrom(session, draft, tried, { among: ['skill', 'tone'], send });
  return isNotTaken(answer) ? asFirst.answer : answer;
}

const notTaken = (answer: Answer): Inconclusive =>
  new Inconclusive(
    findingOn(answer, {
      message: `${draft} accepts none of the suite's values for skill and tone: ${describeAnswer(answer)}`,
      cause: 'Put a body with skill and tone that works into the file that BODIES names',
    }),
  );
