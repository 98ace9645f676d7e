import { isObject, walk } from '../../common/json.ts';
import type { Body } from '../../fixtures/workspace-bodies.ts';
import { judged, type Outcome } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import { fillBody } from '../../settings/bodies-file.ts';
import { cameOf, expectStatus, findingOn } from '../engine/expect.ts';
import { type Answer, callOf } from '../session/call.ts';
import { changing, nounOf, reading } from './endpoints.ts';
import { mentions } from './identity.ts';
import { untilShown } from './lists.ts';
import { bodyRefused, type Made, made, main, refusesBody, succeeded } from './records.ts';
import { details } from './records-judged.ts';
import type { WorkspaceSession } from './session.ts';

type Changeable = 'agents' | 'leads';
type Plain = string | number | boolean;

/** A PATCH of a record of the run's, and what it is to change. */
export interface Changed {
  readonly record: Made;
  readonly body: unknown;
  readonly answer: Answer;
  /** Values that a later read is to show. */
  readonly values: readonly Plain[];
  /** The record as it is read afterwards. */
  readonly later: Answer;
}

type Change = Pick<Changed, 'body' | 'values'>;

const mostFields = 3;

/**
 * Changes the main record once a run: fields in turn, until one is taken and shows, since a deployment may keep some as
 * they are. Throws Inconclusive where there is no record.
 */
export const changed = (session: WorkspaceSession, kind: Changeable): Promise<Changed> =>
  session.once(changing(kind).id, async () => {
    const record = made(await main(session, kind));
    // Reading comes first: the detail view of an unchanged record belongs to another clause.
    const { answer: view } = await details(session, kind);
    const own = session.userBodies[changing(kind).id];
    const candidates =
      own === undefined ? changesOf(record, [record.answer.json, view.json]) : [ownChange(record, own)];
    let told: Changed | undefined;
    for (const candidate of candidates.slice(0, mostFields)) {
      const tried = await change(session, record, kind, candidate);
      // What is told of several is the first that was not refused.
      if (told === undefined || refusesBody(told.answer) || decides(tried)) {
        told = tried;
      }
      if (decides(tried)) {
        break;
      }
    }
    if (!told) {
      throw new Inconclusive({
        message: `${changing(kind).id} is not tried: no field of the ${nounOf(kind)} was sent that could be changed`,
      });
    }
    return told;
  });

async function change(
  session: WorkspaceSession,
  record: Made,
  kind: Changeable,
  { body, values }: Change,
): Promise<Changed> {
  const answer = await session.client.send(callOf(changing(kind), session.key, { id: record.id, body }));
  const read = (): Promise<Answer> => session.client.send(callOf(reading(kind), session.key, { id: record.id }));
  const later = succeeded(answer)
    ? await untilShown(session, read, (view) => lostIn(view, values).length === 0)
    : await read();
  return { record, body, values, answer, later };
}

const lostIn = ({ json }: Answer, values: Changed['values']): Changed['values'] =>
  values.filter((value) => !shows(json, value));
/** The change shows, or nobody can tell whether it does: another one would tell no more. */
const decides = ({ answer, later, values }: Changed): boolean =>
  succeeded(answer) && (!succeeded(later) || lostIn(later, values).length === 0);

/** The user's own change. */
function ownChange(record: Made, own: unknown): Change {
  const body = fillBody(own, { run: `${record.tag}-changed` });
  return { body, values: leaves(body) };
}

/**
 * A change of each field that was sent as text with the words of the record in it: first of those that the answers show, since
 * a deployment may leave out what it does not know.
 */
export function changesOf(
  { fields, tag, wrap }: Pick<Made, 'fields' | 'tag' | 'wrap'>,
  views: readonly unknown[],
): Change[] {
  const texts = Object.entries(fields).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && mentions(entry[1], tag),
  );
  const shown = texts.filter(([, text]) => views.some((view) => shows(view, text)));
  return [...new Set([...shown, ...texts])].map(([name, text]) => {
    const value = changedText(text, tag);
    const change: Body = { [name]: value };
    return { body: wrap === null ? change : { [wrap]: change }, values: [value] };
  });
}

const changedText = (text: string, tag: string): string =>
  text.includes('@') ? text.replace('@', '.changed@') : text.replace(tag, `${tag} changed`);

/** The plain values of a body. */
const leaves = (body: unknown): Plain[] =>
  walk(body)
    .map(({ value }) => value)
    .filter((value): value is Plain => ['string', 'number', 'boolean'].includes(typeof value));

/** PATCH gets 200, and a later read shows the change. */
export async function judgeChanged(session: WorkspaceSession, kind: Changeable): Promise<Outcome> {
  const { answer, later, values } = await changed(session, kind);
  const noun = nounOf(kind);
  if (refusesBody(answer)) {
    throw new Inconclusive(bodyRefused(answer, changing(kind).id));
  }
  if (answer.status !== 200) {
    return judged(expectStatus(answer, 200, `Updating a ${noun} does not get 200`));
  }
  if (!succeeded(later) || !isObject(later.json)) {
    throw new Inconclusive(
      findingOn(later, {
        message: `Change of a ${noun} cannot be looked for: ${cameOf(later)} on ${reading(kind).id}`,
        blames: reading(kind).clause,
      }),
    );
  }
  const lost = lostIn(later, values);
  return judged(
    lost.length === 0
      ? null
      : findingOn(later, {
          message: `Change of a ${noun} does not show: ${JSON.stringify(lost[0])} was set with ${cameOf(answer)}, and a later read has it nowhere`,
          expected: JSON.stringify(lost[0]),
          actual: 'absent',
          place: 'body',
        }),
  );
}

/** Whether an answer shows a value anywhere. Case and white space are the deployment's to tidy up. */
export const shows = (root: unknown, wanted: Plain): boolean =>
  walk(root).some(({ value }) =>
    typeof wanted === 'string'
      ? typeof value === 'string' && tidy(value).includes(tidy(wanted))
      : String(value) === String(wanted),
  );

const tidy = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();
