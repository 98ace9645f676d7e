import { expect, test } from 'vitest';
import { resultOrNull } from '../../../../suites/engine/parts.ts';
import { type Attempt, createRecord, deleteRecord } from '../../../../suites/records/own.ts';
import { cleanUpAll } from '../../../../suites/records/sweep.ts';
import { handlerTransport } from '../../../../suites/session/transport/handler-transport.ts';
import { testSession } from '../../test-session.ts';

/** A record that a deployment keeps. */
interface Kept {
  id: string;
  readonly name: string;
  readonly isOwn: boolean;
}

/** How a deployment misleads the run. */
interface Trick {
  /** The id in the answer to a create. */
  readonly created?: (made: Kept, others: readonly Kept[]) => string;
  /** Further fields of the answer to a create. */
  readonly besides?: (made: Kept, others: readonly Kept[], kind: string) => object;
  readonly headers?: (made: Kept, others: readonly Kept[], kind: string) => Record<string, string>;
  /** The rows of the list. `words`: those of the last create. */
  readonly listed?: (rows: readonly Kept[], words: string, kind: string) => readonly object[];
  /** The record that a read shows. */
  readonly viewed?: (found: Kept | undefined, words: string) => object | undefined;
  /** The status of creates that make a record all the same. */
  readonly status?: number;
  /** The list is empty until the first create. */
  readonly isHiddenAtFirst?: true;
  /** The status of deletions; somebody else gets the id of what was deleted at once. */
  readonly deletedAs?: number;
}

const joined = (rows: readonly Kept[], words: string): readonly object[] =>
  rows.map(({ id, name }) => ({ id, name: `${name} ${words}` }));
const swapped = (rows: readonly Kept[]): readonly object[] =>
  rows.map(({ name }, place) => ({ name, id: rows[(place + 1) % rows.length]?.id }));
const echo = (found: Kept | undefined, words: string): object => ({ ...found, name: words });
const other = (_: Kept, others: readonly Kept[]): string => others[0]?.id ?? '';
const last = (_: Kept, others: readonly Kept[]): string => others.at(-1)?.id ?? '';

const tricks: Readonly<Record<string, Trick>> = {
  'ids are swapped between rows': { listed: swapped },
  'creates answer the id of another': { created: other },
  'creates answer the id of another that was not listed before': { created: last, isHiddenAtFirst: true },
  "the list joins the run's words onto the rows of others": { listed: joined },
  'the list does, and creates answer the id of another': { listed: joined, created: last },
  'the list does, creates answer the id of another, and none was listed before': {
    listed: joined,
    created: other,
    isHiddenAtFirst: true,
  },
  "reads show the run's words for any id": { viewed: echo },
  'reads do, and creates answer the id of another': { viewed: echo, created: other },
  'reads show the latest record for the id of any, and creates answer the id of another': {
    viewed: (found, words) => found && { id: 'Xk99IlsJq3C28e70hxqlatestTz', name: words },
    created: other,
    isHiddenAtFirst: true,
  },
  'reads do, the list joins words, creates answer the id of another, and none was listed before': {
    viewed: echo,
    listed: joined,
    created: other,
    isHiddenAtFirst: true,
  },
  'reads do, ids are swapped, and none was listed before': { viewed: echo, listed: swapped, isHiddenAtFirst: true },
  'links point to another': {
    besides: (_, others, kind) => ({
      url: `/v1/${kind}/${others[0]?.id}`,
      _links: { self: { href: `/v1/${kind}/${others[0]?.id}` } },
    }),
    listed: (rows, _, kind) => rows.map(({ id, name }) => ({ id, name, uri: `/v1/${kind}/${rows[0]?.id}` })),
    isHiddenAtFirst: true,
  },
  'Location leads to another': {
    headers: (_, others, kind) => ({ Location: `/v1/${kind}/${others[0]?.id}` }),
    isHiddenAtFirst: true,
  },
  'Location does, and rows show it': {
    headers: (_, others, kind) => ({ Location: `/v1/${kind}/${others[0]?.id}` }),
    listed: (rows) =>
      rows.map(({ id, name, isOwn }) => ({ id, name, previous: isOwn ? rows.find((row) => !row.isOwn)?.id : null })),
    isHiddenAtFirst: true,
  },
  'creates answer no id, and ids are swapped': { created: () => '', listed: swapped },
  'creates answer no id, and the list joins words': { created: () => '', listed: joined },
  'answers to creates are lost, and ids are swapped': { status: 504, listed: swapped },
  'answers to creates are lost, and the list joins words': { status: 504, listed: joined },
  'creates are refused, and the list joins words': { status: 422, listed: joined },
  'creates are refused, a row of others shows the words alone, and none was listed before': {
    status: 422,
    listed: (rows, words) => rows.slice(0, 1).map(({ id }) => ({ id, name: words })),
    isHiddenAtFirst: true,
  },
  'creates are refused, ids are swapped': { status: 422, listed: swapped },
  'others get the ids of what was deleted': { deletedAs: 200 },
  'others get them, and deletions say that they failed': { deletedAs: 500 },
};

const collections = ['/v1/agents', '/v1/bookings', '/v1/webhooks', '/api/v1/developer/keys'] as const;
const forms: Readonly<Record<string, (number: number) => string>> = {
  random: (number) => `Xk${number}IlsJq3C28e70hxq${(number * 7919).toString(36)}Tz`,
  counted: (number) => String(4820 + number),
};

const cases = Object.keys(tricks).flatMap((name) =>
  collections.flatMap((collection) =>
    Object.keys(forms)
      // Nobody gets a random id twice.
      .filter((form) => form === 'counted' || tricks[name]?.deletedAs === undefined)
      .map((form) => [name, collection, form] as const),
  ),
);

/** Makes, deletes and cleans up some records. Gives what was done to records of others. */
async function harmOf(trick: Trick, collection: string, idOf: (number: number) => string) {
  let number = 0;
  let words = '';
  const make = (name: string, isOwn: boolean): Kept => ({ id: idOf((number += 1)), name, isOwn });
  const rows = ['Front desk', 'Night shift', 'Back office'].map((name) => make(name, false));
  const harm: string[] = [];
  const kind = collection.split('/').at(-1) ?? '';
  const others = (): readonly Kept[] => rows.filter(({ isOwn }) => !isOwn);
  const answerOf = (request: {
    readonly method: string;
    readonly body: string;
    readonly id: string;
  }): [number, unknown, Record<string, string> | undefined] => {
    const found = rows.find(({ id }) => id === request.id);
    if (request.method === 'POST') {
      words = /test-\w+/.exec(request.body)?.[0] ?? '';
      const made = make(words, true);
      rows.push(made);
      const id = trick.created?.(made, others()) ?? made.id;
      const shown = { ...(id === '' ? {} : { id }), name: words, ...trick.besides?.(made, others(), kind) };
      return [
        trick.status ?? 201,
        trick.status === undefined ? shown : { error: 'no' },
        trick.headers?.(made, others(), kind),
      ];
    }
    if (request.method === 'GET' && request.id === '') {
      const isHidden = trick.isHiddenAtFirst === true && words === '';
      const shown = trick.listed?.(rows, words, kind) ?? rows.map(({ id, name }) => ({ id, name }));
      return [200, { rows: isHidden ? [] : shown, has_more: false }, undefined];
    }
    if (request.method === 'GET') {
      const view = trick.viewed === undefined ? found : trick.viewed(found, words);
      return view === undefined ? [404, { error: 'none' }, undefined] : [200, view, undefined];
    }
    if (found === undefined) {
      return [404, { error: 'none' }, undefined];
    }
    if (!found.isOwn) {
      harm.push(`${request.method} ${found.name}`);
      return [200, {}, undefined];
    }
    const heir: Kept = { id: found.id, name: 'Somebody else', isOwn: false };
    rows.splice(rows.indexOf(found), 1, ...(trick.deletedAs === undefined ? [] : [heir]));
    return [trick.deletedAs ?? 200, {}, undefined];
  };
  const transport = handlerTransport(async (request) => {
    const path = new URL(request.url).pathname;
    const id = decodeURIComponent(path.slice(collection.length + 1).split('/')[0] ?? '');
    const [status, json, headers = {}] = answerOf({ method: request.method, body: await request.text(), id });
    const isDeveloper = collection.startsWith('/api/');
    const body = isDeveloper ? { success: status < 300, data: json, context: null, error: null } : json;
    return Response.json(body, { status, headers });
  });
  const session = testSession(collection.startsWith('/api/') ? 'developer' : 'workspace', {
    transport,
    env: { WRITES: 'all' },
  });
  const made: (Attempt | null)[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { tag } = session.nextRecord();
    made.push(await resultOrNull(createRecord(session, collection, { tag, body: { name: tag } })));
  }
  for (const record of made.slice(0, 2)) {
    if (record?.id !== undefined) {
      await resultOrNull(deleteRecord(session, { ...record, id: record.id }));
    }
  }
  await cleanUpAll(session);
  return { harm, deleted: 3 - rows.filter(({ isOwn }) => isOwn).length };
}

test.for(cases)('records of others stay as they are: %s (%s, %s ids)', async ([name, collection, form]) => {
  const { harm } = await harmOf(tricks[name] ?? {}, collection, forms[form] ?? String);
  expect(harm).toEqual([]);
});

test.for(collections.flatMap((collection) => Object.keys(forms).map((form) => [collection, form] as const)))(
  'an honest deployment is left without the records of the run: %s, %s ids',
  async ([collection, form]) => {
    expect(await harmOf({}, collection, forms[form] ?? String)).toEqual({ harm: [], deleted: 3 });
  },
);
