import { walk } from '../../../common/json.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { mentions } from '../../reading/own-words.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { readingOf } from '../collections.ts';
import { readUntil } from '../list-search.ts';
import { firstView, isNothing } from '../reads.ts';
import type { ReadResult } from './evidence.ts';
import type { NewRecord } from './new-record.ts';
import type { Sources } from './sources.ts';

type Reads = Sources['reads'];

/** The most ids that are read in one step; the others count as not found. */
const mostRead = 8;

/**
 * Reads by some ids, one after the other, until a read shows the record. A new record may take KEY_SETTLE_MS to be
 * found: the reads are made again until then, or, once the list was read, while there is nothing under any id. So they
 * are where reads show only that there is something under an id.
 */
export async function readByIds(
  session: Session,
  sources: Sources,
  key: ApiKey,
  ids: readonly string[],
): Promise<Reads> {
  const isNew = sources.reading === 'shows the record' && sources.open.has('list');
  const { id: endpoint = '' } = readingOf(session.api.endpoints, sources.collection) ?? {};
  const readAll = async (attempt: number): Promise<Reads> => {
    const results = new Map(sources.reads);
    for (const id of ids.slice(0, mostRead)) {
      // The clauses that judge the first read of a new record share its answer.
      const isFirst = isNew && attempt === 0;
      const answer = await (isFirst ? firstView : readWithParameters)(session, endpoint, id, key);
      results.set(id, resultOf(answer, sources));
      if (results.get(id) === 'the record') {
        break;
      }
    }
    return results;
  };
  const isSettled = (results: Reads): boolean => {
    const all = [...results.values()];
    return isNew ? all.includes('the record') || !all.includes('nothing') : all.some((result) => result !== 'nothing');
  };
  const results = isNew || sources.isNew ? await readUntil(session, readAll, isSettled) : await readAll(0);
  return new Map([...ids.map((id) => [id, 'nothing'] as const), ...results]);
}

/**
 * A call that takes an id may insist on its parameters: where it is refused without them, it is made once more with
 * them.
 */
async function readWithParameters(session: Session, endpoint: string, id: string, key: ApiKey): Promise<Answer> {
  const answer = await send(session, endpoint, { id, key });
  const documented = endpointOf(endpoint).query.flatMap(({ name, maximum }) => (maximum ? [[name, maximum]] : []));
  return answer.status === 400 && documented.length > 0
    ? send(session, endpoint, { id, key, query: Object.fromEntries(documented) })
    : answer;
}

function resultOf(answer: Answer, { reading, tag, record }: Sources): ReadResult {
  if (!isSuccess(answer) || isNothing(answer)) {
    return 'nothing';
  }
  if (reading === 'shows the record' && mentions(answer.payload, tag)) {
    return 'the record';
  }
  return reading === 'shows the record' && record !== null && isOfAnother(answer, record)
    ? 'another record'
    : 'something';
}

/**
 * Whether a view without the words of a record shows another one: the answer to the create has them, or the body gave
 * another text.
 */
function isOfAnother(view: Answer, { answer, tag, body }: NewRecord): boolean {
  const given = new Map(walk(body).flatMap(({ name, value }) => (typeof value === 'string' ? [[name, value]] : [])));
  const isOther = (name: string, value: unknown): boolean =>
    typeof value === 'string' && (given.get(name) ?? value) !== value;
  return mentions(answer.payload, tag) || walk(view.json).some(({ name, value }) => isOther(name, value));
}
