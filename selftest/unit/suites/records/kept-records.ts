import { createRecord } from '../../../../suites/records/own.ts';
import { testSession } from '../../test-session.ts';

/** A record that a deployment keeps. Its name has the words of the run if that made it. */
export interface Kept {
  readonly id: string;
  readonly name: string;
  readonly isOwn: boolean;
}

/** How a deployment shows its records, and so may mislead the run. By default they are shown as they are. */
export interface Looks {
  /** A record, wherever it is shown. */
  readonly shown?: (record: Kept) => object;
  /** The answer to a create. */
  readonly created?: (made: Kept, others: readonly Kept[], path: string) => object;
  readonly location?: (made: Kept, others: readonly Kept[], path: string) => string;
  /** The rows of the list. `words`: those of the last create. */
  readonly listed?: (rows: readonly Kept[], words: string, path: string) => readonly object[];
  /** What a read shows. */
  readonly viewed?: (found: Kept | undefined, words: string, id: string) => object | undefined;
  /** The status of creates that make a record all the same. */
  readonly status?: number;
  /** The list is empty until the first create. */
  readonly isHiddenAtFirst?: true;
  /** Its ids are counted, whatever the test would choose. */
  readonly isCounted?: true;
  /** What the deployment makes of the id in a path. Default: it is taken as it is. */
  readonly cast?: (id: string) => string;
  /** With each create, somebody else makes a record, too. */
  readonly isCrowded?: true;
  /** The status of deletions; somebody else gets the id of what was deleted at once. */
  readonly deletedAs?: number;
}

/** The form of a deployment's ids: nobody guesses a random one, or gets it twice. */
const forms = {
  random: (number: number): string => `Xk${number}IlsJq3C28e70hxq${(number * 7919).toString(36)}Tz`,
  counted: (number: number): string => String(4820 + number),
};
export type Form = keyof typeof forms;

/** A session with a deployment in which others have three records. `harm`: what was done to records of others. */
export function open(collection: string, form: Form, looks: Looks, shapes = {}) {
  let number = 0;
  let words = '';
  const make = (name: string, isOwn: boolean): Kept => ({ id: forms[form]((number += 1)), name, isOwn });
  const rows = ['Front desk', 'Night shift', 'Back office'].map((name) => make(name, false));
  const harm: string[] = [];
  const others = (): readonly Kept[] => rows.filter(({ isOwn }) => !isOwn);
  const { shown = ({ id, name }: Kept): object => ({ id, name }) } = looks;
  const path = collection.replace('/api/v1/developer', '/v1');

  function answerTo(
    method: string,
    id: string,
    body: string,
  ): readonly [status: number, json: unknown, location?: string | undefined] {
    const found = rows.find((record) => record.id === (looks.cast?.(id) ?? id));
    if (method === 'POST') {
      words = /test-\w+/.exec(body)?.[0] ?? '';
      const made = make(/"name":"([^"]*)"/.exec(body)?.[1] ?? words, true);
      rows.push(made, ...(looks.isCrowded ? [make('Walk-in', false)] : []));
      const answer = looks.status === undefined ? (looks.created ?? shown)(made, others(), path) : { error: 'no' };
      return [looks.status ?? 201, answer, looks.location?.(made, others(), path)];
    }
    if (method === 'GET' && id === '') {
      const isHidden = looks.isHiddenAtFirst === true && words === '';
      const shownRows = isHidden ? [] : (looks.listed?.(rows, words, path) ?? rows.map(shown));
      return [200, { rows: shownRows, has_more: false }];
    }
    if (method === 'GET') {
      const view = looks.viewed === undefined ? found && shown(found) : looks.viewed(found, words, id);
      return view === undefined ? [404, { error: 'none' }] : [200, view];
    }
    if (found === undefined) {
      return [404, { error: 'none' }];
    }
    if (!found.isOwn) {
      harm.push(`${method} ${found.name}`);
      return [200, {}];
    }
    const heir: Kept = { id: found.id, name: 'Somebody else', isOwn: false };
    rows.splice(rows.indexOf(found), 1, ...(looks.deletedAs === undefined ? [] : [heir]));
    return [looks.deletedAs ?? 200, {}];
  }

  const isDeveloper = collection.startsWith('/api/');
  const serve = async (request: Request): Promise<Response> => {
    const [id = ''] = new URL(request.url).pathname.slice(collection.length + 1).split('/');
    const [status, json, location] = answerTo(request.method, decodeURIComponent(id), await request.text());
    const body = isDeveloper ? { success: status < 300, data: json, context: null, error: null } : json;
    return Response.json(body, { status, headers: location === undefined ? {} : { Location: location } });
  };
  const session = testSession(isDeveloper ? 'developer' : 'workspace', { serve, env: { WRITES: 'all' }, shapes });
  const create = (bodyOf = (tag: string): object => ({ name: tag })) => {
    const { tag } = session.nextRecord();
    return createRecord(session, collection, { tag, body: bodyOf(tag) });
  };
  return { session, create, harm, rows };
}

/** A record that shows its name alone. */
export const withoutId = ({ name }: Kept): object => ({ name });
