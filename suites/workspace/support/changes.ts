import { walk } from '../../../common/json.ts';
import type { Body } from '../../../fixtures/workspace-bodies.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { fillBody } from '../../../settings/bodies-file.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import { mentions } from '../../session/record.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { nounOf } from '../../shared/collections.ts';
import { readUntil } from '../../shared/sighting.ts';
import { type Attempt, assertCreated, type Created, refusesBody } from './create.ts';
import { details } from './details.ts';
import { changing, type Readable, reading } from './kinds.ts';
import { mainRecord } from './records.ts';

type Plain = string | number | boolean;

/** A change of a record: the body of a PATCH, and the values that a later read is to show. */
interface Change {
  readonly body: unknown;
  readonly values: readonly Plain[];
}

/** A PATCH of a record of the run's, and what came of it. */
export interface Changed extends Change {
  readonly record: Created;
  readonly answer: Answer;
  /** The record as it is read afterwards. */
  readonly later: Answer;
}

const mostFields = 3;

/**
 * Changes the main record: fields in turn, until one is taken and shows, since a deployment may keep some as they are.
 * Gives that one, or else the first that was not refused. Throws Inconclusive where there is no record.
 */
export const changed = stepFor(
  (kind: Readable) => kind,
  async (session, kind): Promise<Changed> => {
    const record = assertCreated(await mainRecord(session, kind));
    // Reading comes first: the detail view of an unchanged record belongs to another clause.
    const { answer: view } = await details(session, kind);
    const own = session.userBodies[changing(kind)];
    const candidates =
      own === undefined ? changesOf(record, [record.answer.json, view.json]) : [ownChange(record, own)];
    let best: Changed | undefined;
    for (const candidate of candidates.slice(0, mostFields)) {
      const tried = await change(session, record, kind, candidate);
      if (isDecisive(tried)) {
        return tried;
      }
      best = best === undefined || refusesBody(best.answer) ? tried : best;
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

async function change(session: Session, record: Created, kind: Readable, { body, values }: Change): Promise<Changed> {
  const { id } = record;
  const answer = await send(session, changing(kind), { id, body });
  const read = (): Promise<Answer> => send(session, reading(kind), { id });
  const later = isSuccess(answer)
    ? await readUntil(session, read, (view) => missingIn(view, values).length === 0)
    : await read();
  return { record, body, values, answer, later };
}

/** The values that an answer does not show. */
export const missingIn = ({ json }: Pick<Answer, 'json'>, values: readonly Plain[]): readonly Plain[] =>
  values.filter((value) => !shows(json, value));

/** The change shows, or nothing shows whether it does: another one would tell no more. */
const isDecisive = ({ answer, later, values }: Changed): boolean =>
  isSuccess(answer) && (!isSuccess(later) || missingIn(later, values).length === 0);

/** The user's own change. */
function ownChange(record: Created, own: unknown): Change {
  const body = fillBody(own, { run: `${record.tag}-changed` });
  return { body, values: plainValues(body) };
}

/**
 * A change of each field that was sent as text with the words of the record in it: first of those that the answers show,
 * since a deployment may leave out what it does not know.
 */
export function changesOf(
  { fields, tag, wrap }: Pick<Attempt, 'fields' | 'tag' | 'wrap'>,
  views: readonly unknown[],
): Change[] {
  const texts = Object.entries(fields).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && mentions(entry[1], tag),
  );
  const shown = texts.filter(([, text]) => views.some((view) => shows(view, text)));
  return [...new Set([...shown, ...texts])].map(([name, text]) => {
    const value = changedText(text, tag);
    const body: Body = { [name]: value };
    return { body: wrap === null ? body : { [wrap]: body }, values: [value] };
  });
}

const changedText = (text: string, tag: string): string =>
  text.includes('@') ? text.replace('@', '.changed@') : text.replace(tag, `${tag} changed`);

const plainValues = (body: unknown): Plain[] =>
  walk(body)
    .map(({ value }) => value)
    .filter((value): value is Plain => ['string', 'number', 'boolean'].includes(typeof value));

/** Whether an answer shows a value anywhere. Case and white space are the deployment's to tidy up. */
export const shows = (root: unknown, wanted: Plain): boolean =>
  walk(root).some(({ value }) =>
    typeof wanted === 'string'
      ? typeof value === 'string' && tidy(value).includes(tidy(wanted))
      : String(value) === String(wanted),
  );

const tidy = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();
