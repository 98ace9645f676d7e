import { createTally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Checks } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { expectAccepted, findingOn } from '../engine/expect.ts';
import { resultOrNull } from '../engine/parts.ts';
import { rowsIn } from '../reading/rows.ts';
import type { Body } from '../records/bodies.ts';
import { read } from '../records/reads.ts';
import type { Answer } from '../session/answer.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { step } from '../session/step.ts';
import { judgeMissingFields } from './calls/refused-bodies.ts';
import { judgeLiveWrite, judgePlainBody, postSucceeds, readSucceeds } from './calls/succeeds.ts';
import { type Twin, twinOf } from './calls/twins.ts';

const draft = 'POST /api/v1/inbox/draft';

/** AI email. */
export const inbox: Checks = {
  'developer.inbox.draft': async (session) => {
    const tally = createTally();
    const twin = await twinOf(session, draft);
    if (judgePlainBody(tally, draft, twin)) {
      await judgeLiveWrite(session, tally, draft);
      const { answer, body } = await fullDraft(session);
      if (refusesValues(answer) && !(await areAcceptedAlone(session, twin.body as Body))) {
        throw noValuesAccepted(answer);
      }
      tally.judge(expectAccepted(answer, `${draft} failed with skill and tone`));
      if (answer.accepted) {
        await judgeLiveWrite(session, tally, draft, body as Body);
      }
    }
    return tally.outcome();
  },

  'developer.inbox.draft-validation': async (session) => {
    const alone = { missing: 'thread_context' };
    const withTone = { ...alone, added: { tone: 'professional' } };
    // A skill of one environment may be unknown in the other.
    const isAccepted = (await resultOrNull(twinOf(session, draft)))?.answer.accepted === true;
    const full = isAccepted ? await resultOrNull(fullDraft(session)) : null;
    const withAll = full?.answer.accepted ? { ...alone, added: full.body as Body } : withTone;
    return judgeMissingFields(session, draft, [alone, withAll], [alone, withTone]);
  },

  'developer.inbox.categorize': postSucceeds('POST /api/v1/inbox/categorize'),
  'developer.inbox.skills': readSucceeds('GET /api/v1/inbox/skills'),
  'developer.inbox.skills-learn': postSucceeds('POST /api/v1/inbox/skills/learn'),
};

/** Whether a draft is refused in a way that may be due to the values of skill and tone. */
const refusesValues = ({ status }: Answer): boolean => status === 400 || status === 404;

const likeliest = { skill: 'reply', tone: 'professional' };

/** Whether the likeliest values are each accepted alone: then they are not why both together are refused. */
async function areAcceptedAlone(session: Session, body: Body): Promise<boolean> {
  const alone = Object.entries(likeliest).map(([name, value]) =>
    send(session, draft, { body: { ...body, [name]: value } }),
  );
  return (await Promise.all(alone)).every(({ accepted }) => accepted);
}

/** A draft with skill and tone, and its answer. Throws Inconclusive where no body is known that may be accepted. */
const fullDraft = step(async (session) => withSkillAndTone(session, (await twinOf(session, draft)).body as Body));

/**
 * Adds skill and tone to an accepted body. The document does not show which values they take, so likely ones are tried
 * in turn. Gives the first where all are refused.
 */
async function withSkillAndTone(session: Session, body: Body): Promise<Twin> {
  const sendBody = async (fuller: Body): Promise<Twin> => ({
    answer: await send(session, draft, { body: fuller }),
    body: fuller,
  });
  const first = await sendBody({ ...body, ...likeliest });
  let tried = first;
  for (const [index, skill = 'reply'] of (await namesOfKnownSkill(session)).entries()) {
    if (refusesValues(tried.answer)) {
      tried = await sendBody({ ...body, skill, tone: index === 0 ? 'friendly' : 'formal' });
    }
  }
  return refusesValues(tried.answer) ? first : tried;
}

const noValuesAccepted = (answer: Answer): Inconclusive =>
  new Inconclusive(
    findingOn(answer, {
      message: `${draft} accepts none of the suite's values for skill and tone: ${describeAnswer(answer)}`,
      advice: `Add a working body with skill and tone for ${draft} to your BODIES file`,
    }),
  );

/** What a draft may call the first listed skill: its name, its id, and a numeric id as text. */
async function namesOfKnownSkill(session: Session): Promise<readonly unknown[]> {
  const { payload } = await read(session, 'GET /api/v1/inbox/skills');
  const skill = rowsIn(payload, 'skill')?.[0];
  const id = skill?.id;
  return [skill?.slug ?? skill?.name, id, ...(typeof id === 'number' ? [String(id)] : [])];
}
