import { walk } from '../../../common/json.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { mentions } from '../../session/reading/own-words.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { readingOf } from '../collections.ts';
import { readUntil } from '../lists/list-search.ts';
import { firstView, isNothing } from '../reads.ts';
import type { ReadResult } from './evidence.ts';
import type { NewRecord, Sources } from './sources.ts';

type Reads = Sources['reads'];

/** The most ids that are read in one step; the others count as not found. */
const mostRead = 8;

/**
 * Reads by some ids, one after the other, until a read shows the record. A new record may take KEY_SETTLE_MS to be found: unless the
 * list was read already, the reads are made again until then.
 */
export async function readByIds(
  session: Session,
  sources: Sources,
  key: ApiKey,
  ids: readonly string[],
): Promise<Reads> {
  const { reads, open, reading } = sources;
  const isNew = reading === 'shows the record' && open.has('list');
  const readAll = async (attempt: number): Promise<Reads> => {
    const results = new Map(reads);
    for (const id of ids.slice(0, mostRead)) {
      const result = await readBy(id, { session, sources, key, isFirst: isNew && attempt === 0 });
      results.set(id, result);
      if (result === 'the record') {
        break;
      }
    }
    return results;
  };
  const isSettled = (results: Reads): boolean => {
    const all = [...results.values()];
    return all.includes('the record') || !all.includes('nothing');
  };
  const results = isNew ? await readUntil(session, readAll, isSettled) : await readAll(0);
  return new Map([...ids.map((id) => [id, 'nothing'] as const), ...results]);
}

/** How a read is made. `isFirst`: the clauses that judge the first read of the record share its answer. */
interface Read {
  readonly session: Session;
  readonly sources: Sources;
  readonly key: ApiKey;
  readonly isFirst: boolean;
}

async function readBy(id: string, { session, sources, key, isFirst }: Read): Promise<ReadResult> {
  const { collection, tag, record } = sources;
  const reading = readingOf(session.api.endpoints, collection);
  if (reading === undefined) {
    return 'nothing';
  }
  const answer = isFirst
    ? await firstView(session, reading.id, id, key)
    : await readWithParameters(session, reading.id, id, key);
  if (!isSuccess(answer) || isNothing(answer)) {
    return 'nothing';
  }
  if (reading.isView && mentions(answer.payload, tag)) {
    return 'the record';
  }
  return reading.isView && record !== null && showsAnother(answer, record) ? 'another record' : 'something';
}

/**
 * Whether a view without the record's words shows another record: the answer to the create showed these words, or the view has another
 * text where the body gave one.
 */
function showsAnother(view: Answer, { answer, tag, body }: NewRecord): boolean {
  const given = new Map(walk(body).flatMap(({ name, value }) => (typeof value === 'string' ? [[name, value]] : [])));
  const isOther = (name: string, value: unknown): boolean =>
    typeof value === 'string' && (given.get(name) ?? value) !== value;
  return mentions(answer.payload, tag) || walk(view.json).some(({ name, value }) => isOther(name, value));
}

/** A call that takes an id may insist on its parameters: where it is refused without them, it is made once more with them. */
async function readWithParameters(session: Session, endpoint: string, id: string, key: ApiKey): Promise<Answer> {
  const answer = await send(session, endpoint, { id, key });
  const documented = endpointOf(endpoint).query.flatMap(({ name, maximum }) => (maximum ? [[name, maximum]] : []));
  return answer.status === 400 && documented.length > 0
    ? send(session, endpoint, { id, key, query: Object.fromEntries(documented) })
    : answer;
}
