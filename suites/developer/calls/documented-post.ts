import { createTally } from '../../../results/outcome.ts';
import { Inconclusive } from '../../../results/stop.ts';
import type { Check } from '../../engine/check.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { expectAccepted, findingOn } from '../../engine/expect.ts';
import { rowsIn } from '../../reading/rows.ts';
import { type Body, bodyRefused } from '../../records/bodies.ts';
import { read } from '../../records/reads.ts';
import type { Answer } from '../../session/answer.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { judgeLiveWrite } from './succeeds.ts';
import { type Twin, twinOf } from './twins.ts';

export const draft = 'POST /api/v1/inbox/draft';
export const generate = 'POST /api/v1/content/generate';

/** The optional fields of a documented body, with the values to try in turn: the document does not show which they take. */
const optionalFields: Readonly<Record<string, (session: Session) => Promise<readonly [Body, ...Body[]]>>> = {
  [draft]: async (session) => {
    const { payload } = await read(session, 'GET /api/v1/inbox/skills');
    const { id, slug, name } = rowsIn(payload, 'skill')?.[0] ?? {};
    // A draft may call a skill by its name or by its id.
    const known = [slug ?? name, id].filter((one) => one !== undefined);
    return [{ skill: 'reply', tone: 'professional' }, ...known.map((skill) => ({ skill, tone: 'friendly' }))];
  },
  [generate]: async () => [{ word_count: 300 }, { word_count: 500 }, { word_count: 1000 }],
};

/** Whether a body is refused in a way that may be due to the values of its optional fields. */
const refusesValues = ({ status }: Answer): boolean => status === 400 || status === 404;

/** The plain body with all optional fields: the first that is not refused for their values, or else the first. */
export const fullBody = stepFor(
  (endpoint: string) => endpoint,
  async (session, endpoint): Promise<Twin> => {
    const { body } = await twinOf(session, endpoint);
    const tried: Twin[] = [];
    for (const fields of (await optionalFields[endpoint]?.(session)) ?? []) {
      const full = { ...(body as Body), ...fields };
      tried.push({ answer: await send(session, endpoint, { body: full }), body: full });
      if (!refusesValues((tried.at(-1) as Twin).answer)) {
        break;
      }
    }
    return tried.find(({ answer }) => !refusesValues(answer)) ?? (tried[0] as Twin);
  },
);

/**
 * A check: a POST whose fields are documented succeeds without optional fields and with all of them, in both
 * environments. Where every value that was tried is refused, that decides nothing: the document does not show which
 * values the fields take.
 */
export const documentedPostSucceeds =
  (endpoint: string, names: string): Check =>
  async (session) => {
    const tally = createTally();
    const plain = await twinOf(session, endpoint);
    const full = await fullBody(session, endpoint);
    if (!plain.answer.accepted) {
      if (plain.recipe !== undefined && plain.answer.status === 400 && !full.answer.accepted) {
        const says = 'rejected every value that the suite tried for its documented fields';
        throw bodyRefused(endpoint, plain.answer, plain.recipe, { says });
      }
      const what = full.answer.accepted ? [`${endpoint} fails without ${names}, and succeeds with them`] : [];
      tally.judge(expectAccepted(plain.answer, ...what));
      return tally.outcome();
    }
    tally.judge(null);
    await judgeLiveWrite(session, tally, endpoint);
    const { answer, body } = full;
    if (refusesValues(answer)) {
      throw new Inconclusive(
        findingOn(answer, {
          message: `${endpoint} accepts none of the suite's values for ${names}: ${describeAnswer(answer)}`,
          advice: `Add a working body with ${names} for ${endpoint} to your BODIES file`,
        }),
      );
    }
    tally.judge(expectAccepted(answer, `${endpoint} failed with ${names}`));
    if (answer.accepted) {
      await judgeLiveWrite(session, tally, endpoint, body as Body);
    }
    return tally.outcome();
  };
