import { encoded } from '../../../common/uri.ts';
import { isEndpoint } from '../../../contract/endpoints.ts';
import type { Call } from '../call.ts';
import type { ApiKey } from '../key.ts';
import type { WireRequest } from '../transport/transport.ts';

/** A record that the run made, and the call that made it. */
export interface OwnRecord {
  readonly collection: string;
  readonly id: string;
  /** JSON pointer to the id in the answer to the creation. */
  readonly place: string;
  /** The given key that could have made the record, whichever key was sent. */
  readonly maker: ApiKey;
  readonly call: Call;
  readonly request: WireRequest;
  /** Number of the call that deleted it; null: none did. */
  readonly deletedBy: number | null;
}

/** The records that a run made: with them a script can repeat a call on a record that is long gone. */
export interface OwnRecords {
  /** Remembers a call that may create or delete a record. */
  sent(number: number, call: Call, request: WireRequest): void;
  /** Notes that the create with that number made a record. */
  made(number: number, record: Pick<OwnRecord, 'collection' | 'id' | 'place' | 'maker'>): void;
  deleted(number: number, record: Pick<OwnRecord, 'collection' | 'id'>): void;
  /**
   * The numbers of the DELETE calls on a record: the evidence may not show its id, where redaction took it for a
   * secret.
   */
  deletionsOf(record: Pick<OwnRecord, 'collection' | 'id'>): readonly number[];
  /** The record that the path of a call names, and those that its body names. */
  usedBy(call: Call): { readonly inPath: OwnRecord | undefined; readonly inBody: readonly OwnRecord[] };
}

/** Least length of an id that is looked for in bodies: a shorter one may be any word. */
const leastIdInBody = 6;

export function createOwnRecords(): OwnRecords {
  const creates = new Map<number, Pick<OwnRecord, 'call' | 'request'>>();
  const records = new Map<string, OwnRecord>();
  /** Numbers of DELETE calls, by their path. */
  const deletions = new Map<string, number[]>();
  const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body ?? null));
  const names = (text: string, id: string): boolean => text.includes(JSON.stringify(id));
  const nameOf = ({ collection, id }: Pick<OwnRecord, 'collection' | 'id'>): string => `${collection}/${id}`;
  return {
    sent(number, call, request) {
      if (call.method === 'POST' && isEndpoint(`DELETE ${call.path}/:id`)) {
        creates.set(number, { call, request });
      }
      if (call.method === 'DELETE') {
        deletions.set(call.path, [...(deletions.get(call.path) ?? []), number]);
      }
    },
    deletionsOf: ({ collection, id }) => deletions.get(`${collection}/${encoded(id)}`) ?? [],
    made(number, record) {
      const create = creates.get(number);
      // A body that names this id names another record with it: a script would go on making records for ever.
      if (create !== undefined && record.maker.origin === 'given' && !names(textOf(create.call.body), record.id)) {
        records.set(nameOf(record), { ...record, ...create, deletedBy: null });
      }
    },
    deleted(number, record) {
      const known = records.get(nameOf(record));
      if (known !== undefined) {
        records.set(nameOf(record), { ...known, deletedBy: number });
      }
    },
    usedBy({ path, body }) {
      const all = [...records.values()];
      const text = textOf(body);
      const isInPath = (record: OwnRecord): boolean => {
        const own = `${record.collection}/${encoded(record.id)}`;
        return path === own || path.startsWith(`${own}/`);
      };
      return {
        inPath: all.find(isInPath),
        inBody: all.filter(({ id }) => id.length >= leastIdInBody && names(text, id)),
      };
    },
  };
}
