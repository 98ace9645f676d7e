import { isEndpoint } from '../../../contract/endpoints.ts';
import { isUnguessable } from '../../reading/record.ts';
import { type ApiKey, type Call, isSuccess, recordPath, type SentCall } from '../call.ts';
import type { WireRequest } from '../transport/transport.ts';

/** A record of a collection. */
interface Named {
  readonly collection: string;
  readonly id: string;
}

/** A record that the run made. */
interface Made extends Named {
  /** Epoch milliseconds at which it was made. */
  readonly at: number;
}

/** How a record can be made again: the call that made it, and where its answer showed the id. */
export interface OwnRecord extends Made {
  /** JSON pointer to the id in the answer to the creation. */
  readonly place: string;
  /** The given key that could have made the record, whichever key was sent. */
  readonly maker: ApiKey;
  readonly call: Call;
  readonly request: WireRequest;
}

/** The records that a run made, and what became of them. */
export type OwnRecords = ReturnType<typeof createOwnRecords>;

/** Least length of an id that is looked for in bodies: a shorter one may be any word. */
const leastIdInBody = 6;

const pathOfRecord = ({ collection, id }: Named): string => recordPath(collection, id);
const isIn = (record: Named, path: string): boolean => `${path}/`.startsWith(`${pathOfRecord(record)}/`);

/** Whether a record is a key that the run made. */
export const isKeyOf = ({ collection, id }: Named, key: ApiKey | undefined): boolean =>
  collection === key?.creation?.collection && id === key.id;

const isDeletion = ({ method }: Call, status: number): boolean => method === 'DELETE' && isSuccess({ status });

/** `sent`: the calls of the run. */
export function createOwnRecords(sent: readonly SentCall[]) {
  const all = new Map<string, Made>();
  const repeatable = new Map<string, OwnRecord>();
  const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body ?? null));
  const names = (text: string, id: string): boolean => text.includes(JSON.stringify(id));
  /** The first call that succeeded below the path of a record which has had its id since then. */
  const callOn = (record: Made, method: string, below: string): SentCall | undefined => {
    const path = pathOfRecord(record) + below;
    const isOn = ({ call, sentAt }: SentCall): boolean =>
      call.path === path && call.method === method && sentAt >= record.at;
    return sent.find((one) => isOn(one) && isSuccess(one));
  };
  return {
    /** Notes that the run made a record, and if `how` is known, the number of the create that can be repeated. */
    made(record: Made, how?: Pick<OwnRecord, 'place' | 'maker'> & { readonly number: number }): void {
      const { collection, id } = record;
      all.set(pathOfRecord(record), record);
      const create = sent.find(({ number }) => number === how?.number);
      const isRepeatable = how?.maker.origin === 'given' && isEndpoint(`DELETE ${collection}/:id`);
      // A body that names this id names another record with it: a script would go on making records for ever.
      if (isRepeatable && create !== undefined && !names(textOf(create.call.body), id)) {
        const { call, request } = create;
        repeatable.set(pathOfRecord(record), { ...record, place: how.place, maker: how.maker, call, request });
      }
    },
    /** When the run made the record that a path names; undefined: it did not, or has deleted it. */
    madeAt(path: string): number | undefined {
      const record = [...all.values()].find((one) => isIn(one, path));
      return record && callOn(record, 'DELETE', '') === undefined ? record.at : undefined;
    },
    /** Whether a DELETE call of the run so far succeeded on a record of the collection. */
    deletedIn(collection: string): (id: string) => boolean {
      const paths = new Set(sent.flatMap(({ call, status }) => (isDeletion(call, status) ? call.path : [])));
      return (id) => paths.has(pathOfRecord({ collection, id }));
    },
    /** Whether a path names a record of the run that no script makes again, and whose id others may get one day. */
    keepsGuessable: (path: string): boolean =>
      [...all].some(([name, one]) => isIn(one, path) && !repeatable.has(name) && !isUnguessable(one.id)),
    /** Whether a record was deleted before the call with that number, or rotated, if it is a key. */
    wasDeleted: (record: Made, number: number): boolean => (callOn(record, 'DELETE', '')?.number ?? Infinity) < number,
    wasRotated: (record: Made, number: number): boolean =>
      (callOn(record, 'POST', '/rotate')?.number ?? Infinity) < number,
    /**
     * The records of the run that a call names in its path or body, and the key that it is sent with, as a script makes
     * them again: in the order of their creation, with those that these creations name.
     */
    neededBy(call: Call, key?: ApiKey): readonly OwnRecord[] {
      const found = new Set<OwnRecord>();
      const visit = ({ path, body }: Call, sent?: ApiKey): void => {
        const text = textOf(body);
        const isUsed = (one: OwnRecord): boolean =>
          isIn(one, path) || (one.id.length >= leastIdInBody && names(text, one.id)) || isKeyOf(one, sent);
        for (const one of repeatable.values()) {
          if (!found.has(one) && isUsed(one)) {
            found.add(one);
            visit(one.call);
          }
        }
      };
      visit(call, key);
      return [...repeatable.values()].filter((one) => found.has(one));
    },
  };
}
