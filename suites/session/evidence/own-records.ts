import { encoded } from '../../../common/uri.ts';
import { isEndpoint } from '../../../contract/endpoints.ts';
import type { Call } from '../call.ts';
import type { ApiKey } from '../key.ts';
import type { WireRequest } from '../transport/transport.ts';

/** A record that the run made, and how: what it takes to make one like it. */
export interface OwnRecord {
  readonly collection: string;
  readonly id: string;
  /** JSON pointer to the id in the answer to the creation. */
  readonly place: string;
  /** The given key whose record it is: it could have made it, whichever key was sent. */
  readonly maker: ApiKey;
  readonly call: Call;
  readonly request: WireRequest;
  /** Number of the call that deleted it; null: none did. */
  readonly deletedBy: number | null;
}

/** The records that a run made, so that a call on one of them can be repeated when it is long gone. */
export interface OwnRecords {
  /** Remembers calls that may create a record, or delete one. */
  sent(number: number, call: Call, request: WireRequest): void;
  /** The create with that number made a record. */
  made(number: number, record: Pick<OwnRecord, 'collection' | 'id' | 'place' | 'maker'>): void;
  deleted(number: number, record: Pick<OwnRecord, 'collection' | 'id'>): void;
  /** The numbers of the calls that were to delete a record, whatever the evidence shows of its id. */
  deletionsOf(id: string): readonly number[];
  /** The record that stands in the path of a call, and those that its body names. */
  usedBy(call: Call): { readonly inPath: OwnRecord | undefined; readonly inBody: readonly OwnRecord[] };
}

/** No shell takes a longer body. */
const longestBody = 65_536;

/** A shorter id may be any word of a body. */
const leastInBody = 6;

export function createOwnRecords(): OwnRecords {
  const creates = new Map<number, Pick<OwnRecord, 'call' | 'request'>>();
  const records = new Map<string, OwnRecord>();
  /** By the last part of their path. */
  const deletions = new Map<string, number[]>();
  const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body ?? null));
  const names = (text: string, id: string): boolean => text.includes(JSON.stringify(id));
  const nameOf = ({ collection, id }: Pick<OwnRecord, 'collection' | 'id'>): string => `${collection}/${id}`;
  return {
    sent(number, call, request) {
      const isShort = (request.body?.length ?? 0) <= longestBody;
      if (isShort && call.method === 'POST' && isEndpoint(`DELETE ${call.path}/:id`)) {
        creates.set(number, { call, request });
      }
      if (call.method === 'DELETE') {
        const name = call.path.split('/').at(-1) ?? '';
        deletions.set(name, [...(deletions.get(name) ?? []), number]);
      }
    },
    deletionsOf: (id) => deletions.get(encoded(id)) ?? [],
    made(number, record) {
      const create = creates.get(number);
      // What its body names is another record: a script would make it over and over again.
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
        inBody: all.filter(({ id }) => id.length >= leastInBody && names(text, id)),
      };
    },
  };
}
