import type { FoundList, JsonObject } from '../../common/json.ts';
import { show } from '../../common/schema.ts';
import { createTally, observed, type Tally } from '../../results/outcome.ts';
import type { Check, Checks } from '../engine/engine.ts';
import { accepted, cameOf, expectAccepted, findingOn } from '../engine/expect.ts';
import type { Answer } from '../session/call.ts';
import { callOf } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import { endpoint, mainKey, read } from './calls.ts';
import { identity, listIn } from './records.ts';

/** What one documented value of a filter yields. */
interface Filtered {
  readonly value: string;
  readonly answer: Answer;
  readonly list: FoundList | undefined;
}

/** The documented values of one filter of one list. */
const valuesOf = (id: string, name: string): readonly string[] =>
  endpoint(id).query.flatMap((parameter) => (parameter.name === name ? (parameter.values ?? []) : []));

/**
 * Judges a filter: each documented value is taken, and no record stands in the lists of two values. Where records show
 * a field of the filter's own name with a value of its vocabulary, that value is the one asked for.
 */
export const filterCheck =
  (id: string, name: string, noun: string): Check =>
  async (session) => {
    const tally = createTally();
    const values = valuesOf(id, name);
    const [plain, ...answers] = await Promise.all([
      read(session, id),
      ...values.map((value) => read(session, id, { [name]: value })),
    ]);
    const all: Filtered[] = answers.map((answer, i) => ({
      answer,
      value: values[i] ?? '',
      list: listIn(answer, noun),
    }));
    for (const { answer, value } of all) {
      const refused = expectAccepted(answer, `Documented value ${name}=${value} is not taken`);
      if (refused) {
        tally.judge(refused);
      }
    }
    const lists = all.filter(
      (one): one is Filtered & { list: FoundList } => accepted(one.answer) && one.list !== undefined,
    );
    const full = lists.find(({ list }) => list.rows.length > 0);
    if (!full) {
      tally.leaveOpen(
        findingOn(plain as Answer, {
          message:
            lists.length === 0
              ? `${id} shows no list of objects that a filter could be seen in`
              : `All lists of ${id} by ${name} are empty`,
          cause: 'Records with different values, shown as a list of objects, would decide it',
          ...(lists.length > 0 && isSeeded(id) ? { blames: 'developer.sandbox.data' } : {}),
        }),
      );
      return tally.outcome();
    }
    judgeOverlap(tally, name, lists);
    judgeShownValues(tally, name, values, lists, plain as Answer, noun);
    return tally.outcome({
      list: `/data${full.list.pointer}`,
      rows: Object.fromEntries(lists.map(({ value, list }) => [value, list.rows.length])),
    });
  };

/** Seeding fills some of the lists (Sandbox, rule 1). */
const isSeeded = (id: string): boolean => /campaigns|bookings/.test(id);

function judgeOverlap(tally: Tally, name: string, lists: readonly (Filtered & { list: FoundList })[]): void {
  const firstIn = new Map<string, string>();
  for (const { value, answer, list } of lists) {
    const known = list.rows.map(identity).find((id) => firstIn.has(id));
    tally.judge(
      known === undefined
        ? null
        : findingOn(answer, {
            message: `Filter ${name} does not tell records apart: one of ${name}=${value} is also in ${name}=${firstIn.get(known) ?? ''}`,
            expected: 'no record in two of the lists',
            actual: show(known),
            place: `/data${list.pointer}`,
          }),
    );
    for (const row of list.rows) {
      firstIn.set(identity(row), value);
    }
  }
}

/** Records that show the filtered field themselves settle what disjoint lists cannot: swapped, and wrongly empty ones. */
function judgeShownValues(
  tally: Tally,
  name: string,
  values: readonly string[],
  lists: readonly (Filtered & { list: FoundList })[],
  plain: Answer,
  noun: string,
): void {
  const shown = (row: JsonObject): string | undefined => values.find((value) => row[name] === value);
  for (const { value, answer, list } of lists) {
    const stranger = list.rows.find((row) => ![undefined, value].includes(shown(row)));
    const missed = list.rows.length === 0 ? listIn(plain, noun)?.rows.find((row) => shown(row) === value) : undefined;
    tally.judge(
      stranger === undefined
        ? null
        : findingOn(answer, {
            message: `Filter ${name}=${value} yields a record whose ${name} is ${shown(stranger) ?? ''}`,
            expected: `records with ${name} ${value}`,
            actual: show(stranger),
            place: `/data${list.pointer}`,
          }),
      missed === undefined
        ? null
        : findingOn(answer, {
            message: `Filter ${name}=${value} yields nothing, and the unfiltered list has such a record`,
            expected: show(missed),
            actual: 'an empty list',
            place: `/data${list.pointer}`,
          }),
    );
  }
}

/** Filters that take a vocabulary, for the gap clause. */
const vocabularies: readonly (readonly [id: string, name: string, noun: string])[] = [
  ['GET /api/v1/ads/campaigns', 'status', 'campaign'],
  ['GET /api/v1/developer/export/bookings', 'status', 'booking'],
  ['GET /api/v1/developer/export/leads', 'status', 'lead'],
  ['GET /api/v1/developer/export/leads', 'source', 'lead'],
  ['GET /api/v1/content/posts', 'status', 'post'],
];

/** Filters: what the documents leave open. */
export const filters: Checks = {
  'developer.filters.unknown-value': async (session) => {
    const rows = await Promise.all(
      vocabularies.map(
        async ([id, name, noun]) => [`${id}?${name}`, await unknownValue(session, id, name, noun)] as const,
      ),
    );
    return observed(Object.fromEntries(rows));
  },
};

async function unknownValue(session: Session, id: string, name: string, noun: string): Promise<string> {
  // Read first: that seeds the sandbox.
  const all = listIn(await read(session, id), noun)?.rows.length;
  const answer = await session.client.send(
    callOf(endpoint(id), mainKey(session), { query: { [name]: 'no-such-value' }, purpose: 'off-document' }),
  );
  if (!accepted(answer)) {
    return `error: ${cameOf(answer)}`;
  }
  const rows = listIn(answer, noun)?.rows.length;
  if (rows === undefined) {
    return `${answer.status}, no list of objects`;
  }
  return rows === 0 ? 'no rows' : rows === all ? 'all rows' : `${rows} of ${all ?? 'unknown many'} rows`;
}
