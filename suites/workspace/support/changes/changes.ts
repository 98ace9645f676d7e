import { isObject, walk } from '../../../../common/json.ts';
import { lettersOf } from '../../../../common/words.ts';
import type { Body } from '../../../../fixtures/workspace-bodies.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import { fillBody, usesWord } from '../../../../settings/bodies-file.ts';
import { settle } from '../../../engine/parts.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { nounOf } from '../../../shared/collections.ts';
import { complaintOf } from '../../../shared/complaints/complaint.ts';
import { refusesBody } from '../../../shared/complaints/refused-body.ts';
import { readUntil } from '../../../shared/lists/list-search.ts';
import { firstFoundView } from '../../../shared/reads.ts';
import { timeToSettle } from '../../../shared/records.ts';
import { changing, type Readable, reading } from '../kinds.ts';
import { wordsFor } from '../records/compose.ts';
import { assertCreated, type Created } from '../records/create.ts';
import { wrapped } from '../records/guess.ts';
import { firstRecord } from '../records/records.ts';
import { agentsDeletionIsJudged, secondAgent } from '../records/second-agent.ts';
import { askedFor, type Change, changesOf, holds, isGarbled, type Plain, tidy } from './change-candidates.ts';
import { type Condition, conditionsFor, lacksCondition } from './conditions.ts';
import { valuesBesideHistory } from './history.ts';

/** A PATCH of a record of the run's, and what came of it. */
export interface Changed extends Change {
  readonly record: Created;
  /** The record as it was read before. */
  readonly before: Answer;
  readonly answer: Answer;
  /** What such a change has to carry. */
  readonly headers: Condition;
  /** The record as it is read afterwards. */
  readonly later: Answer;
  /** The bodies of all PATCHes up to this one: an earlier one may have changed another field. */
  readonly tried: readonly unknown[];
}

const mostTries = 6;

/** Changes the first record of its kind. Throws Inconclusive where there is none. */
export const changed = async (session: Session, kind: Readable): Promise<Changed> =>
  changeOf(session, kind, assertCreated(await firstRecord(session, kind)));

/**
 * Changes a record: fields in turn, until one is taken and shows, since a deployment may keep some as they are. Gives that one, or
 * else the first that was not refused.
 */
export const changeOf = stepFor(
  (kind: Readable, { id }: Created) => `${kind} ${id}`,
  async (session, kind, record): Promise<Changed> => {
    if (kind === 'agents' && agentsDeletionIsJudged(session)) {
      // A change may show at another one.
      await settle(secondAgent(session));
    }
    // Reading comes first: the detail view of an unchanged record belongs to another clause.
    const before = await firstFoundView(session, reading(kind), record.id);
    const own = session.userBodies[changing(kind)];
    const candidates =
      own === undefined
        ? changesOf(record, [record.answer.json, before.json])
        : [await ownChange(session, record, own)];
    let best: Changed | undefined;
    const tried: unknown[] = [];
    let asked: Body = {};
    for (
      let [next, ...others] = candidates;
      next !== undefined && tried.length < mostTries;
      [next, ...others] = others
    ) {
      const isGuessed = own === undefined && isObject(next.body);
      const body = isGuessed ? wrapped({ ...asked, ...(next.body as Body) }, record.wrap) : next.body;
      const candidate = { ...next, body };
      tried.push(candidate.body);
      const one = { ...(await change(session, record, kind, candidate)), before, tried: [...tried] };
      if (isDecisive(one)) {
        best = one;
        break;
      }
      best = best === undefined || refusesBody(best.answer) ? one : best;
      const more =
        refusesBody(one.answer) && own === undefined ? askedFor(one.answer, candidate.body, before.json) : {};
      if (Object.keys(more).length > 0) {
        asked = { ...asked, ...more };
        others = [next, ...others];
      }
    }
    if (best === undefined) {
      const noun = nounOf(kind);
      throw new Inconclusive({
        message: `${changing(kind)} is not tried: no field of the ${noun} was sent that could be changed`,
      });
    }
    return best;
  },
);

async function change(
  session: Session,
  record: Created,
  kind: Readable,
  { body, values }: Change,
): Promise<Omit<Changed, 'before' | 'tried'>> {
  const { id } = record;
  const sendPlainly = (): Promise<Answer> => send(session, changing(kind), { id, body });
  let [answer, headers]: [Answer, Condition] = [await sendPlainly(), {}];
  const wait = timeToSettle(session, record.answer);
  // What was just made may not be ready to be changed: then no field of the body is what is wrong.
  if (refusesBody(answer) && wait > 0 && !namesFieldOf(body, answer)) {
    await session.clock.sleep(wait);
    answer = await sendPlainly();
  }
  for (const condition of lacksCondition(answer) ? await conditionsFor(session, kind, id) : []) {
    if (lacksCondition(answer)) {
      headers = condition;
      answer = await send(session, changing(kind), { id, body, headers });
    }
  }
  const read = (): Promise<Answer> => send(session, reading(kind), { id });
  const later = isSuccess(answer)
    ? await readUntil(session, read, (view) => missingIn(view, values).length === 0)
    : await read();
  return { record, body, values, answer, headers, later };
}

const namesFieldOf = (body: unknown, refusal: Answer): boolean => {
  const { fields } = complaintOf(refusal, body);
  return walk(body).some(({ name }) => fields.includes(name));
};

/** The values that a record does not show, its history left out. */
export function missingIn({ json }: Pick<Answer, 'json'>, values: readonly Plain[]): readonly Plain[] {
  const own = valuesBesideHistory(json);
  return values.filter((wanted) => !own.some(({ value }) => holds(value, wanted)));
}

/** Whether another change would tell no more: this one shows, or shows garbled, or the record cannot be read. */
const isDecisive = ({ answer, later, values }: Pick<Changed, 'answer' | 'later' | 'values'>): boolean =>
  isSuccess(answer) &&
  (!isSuccess(later) || missingIn(later, values).length === 0 || values.some((value) => isGarbled(later, value)));

/** The user's own change. */
async function ownChange(session: Session, record: Created, own: unknown): Promise<Change> {
  const { number } = session.nextRecord();
  const agent = usesWord(own, 'agent_id') ? (await firstRecord(session, 'agents')).id : undefined;
  const body = fillBody(own, {
    ...(await wordsFor(session, own, { tag: `${record.tag}-changed`, number })),
    ...(agent === undefined ? {} : { agent_id: agent }),
    ...(usesWord(own, 'lead_id') ? { lead_id: record.id } : {}),
  });
  return { body, values: plainValues(body) };
}

const plainValues = (body: unknown): Plain[] =>
  walk(body)
    .map(({ value }) => value)
    .filter((value): value is Plain => ['string', 'number', 'boolean'].includes(typeof value));

/** What the record was made with and showed before the change: by name, whether it still shows it. */
export function keptValues({ record, tried, before, later }: Changed): { name: string; value: Plain; kept: boolean }[] {
  const named = new Set(walk(tried).map(({ name }) => lettersOf(name)));
  const [was, is] = [valuesBesideHistory(before.json), valuesBesideHistory(later.json)];
  return walk(record.fields).flatMap(({ name, value }) => {
    const isSent = (typeof value === 'string' && value.length > 1) || typeof value === 'number';
    if (!isSent || named.has(lettersOf(name))) {
      return [];
    }
    // One text may have been sent under several names: what shows under a changed one is not what was to stay.
    const isSame = (one: { readonly name: string; readonly value: unknown }): boolean =>
      !named.has(lettersOf(one.name)) &&
      (typeof value === 'string'
        ? typeof one.value === 'string' && tidy(one.value) === tidy(value)
        : one.value === value && lettersOf(one.name) === lettersOf(name));
    return was.some(isSame) ? [{ name, value, kept: is.some(isSame) }] : [];
  });
}
