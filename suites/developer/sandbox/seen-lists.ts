import type { JsonObject } from '../../../common/json.ts';
import { read } from '../../records/reads.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import type { EnvironmentKeys } from '../compared-keys.ts';
import { keysOfBothEnvironments } from '../environments.ts';
import { vocabularies } from '../filters/filter.ts';
import { readSets } from '../filters/record-sets.ts';
import { linesIn, listIn } from '../rows.ts';

/** A list as a key sees it. */
export interface SeenList {
  readonly key: ApiKey;
  readonly answer: Answer;
  /** Its records; undefined: it cannot be read. */
  readonly rows: readonly JsonObject[] | undefined;
}

/** A list that is read with several keys. */
interface ReadList {
  readonly endpoint: string;
  /** What a record is called. */
  readonly noun: string;
  /** Whether it is also read in query mode. */
  readonly isReadInQuery: boolean;
}

/**
 * A list as the keys of an environment see it: without parameters with each of them, and by each documented value of
 * its filters, as the filter clauses read it. A filter's query may leave the environment out, and shows records that
 * are on later pages of the whole list.
 */
export async function listsSeenWith(session: Session, list: ReadList, keys: EnvironmentKeys): Promise<SeenList[]> {
  const { endpoint, noun, isReadInQuery } = list;
  const seen = (key: ApiKey, answer: Answer): SeenList => ({ key, answer, rows: rowsOf(answer, noun) });
  const plain = async (key: ApiKey): Promise<SeenList> => seen(key, await read(session, endpoint, { key }));
  const inQuery = async (): Promise<SeenList> =>
    seen(keys.madeOrGiven, await read(session, endpoint, { key: keys.madeOrGiven, mode: 'query' }));
  const [unfiltered, filtered] = await Promise.all([
    Promise.all([...keys.all.map(plain), ...(isReadInQuery ? [inQuery()] : [])]),
    filteredAnswers(session, endpoint, keys),
  ]);
  return [...unfiltered, ...filtered.map(({ key, answer }) => seen(key, answer))];
}

/** The answers to the reads of a list by each documented value of its filters. */
async function filteredAnswers(
  session: Session,
  endpoint: string,
  { all }: EnvironmentKeys,
): Promise<{ readonly key: ApiKey; readonly answer: Answer }[]> {
  const reader = (await keysOfBothEnvironments(session, endpoint)).find((key) =>
    all.some(({ environment }) => environment === key.environment),
  );
  if (reader === undefined) {
    return [];
  }
  const filters = Object.values(vocabularies).filter((filter) => filter.list.endpoint === endpoint);
  const lists = await Promise.all(
    filters.map(({ list, conditions }) => readSets(session, list, conditions, { key: reader })),
  );
  return lists.flatMap(({ parts }) => parts.map(({ answer }) => ({ key: reader, answer })));
}

function rowsOf(answer: Answer, noun: string): readonly JsonObject[] | undefined {
  if (!answer.accepted) {
    return undefined;
  }
  const lines = linesIn(answer);
  return listIn(answer, noun)?.rows ?? (lines.length > 0 ? lines : undefined);
}
