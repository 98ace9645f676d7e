import { decoded, encoded } from '../../../common/uri.ts';
import { isWrite } from '../../../contract/endpoint.ts';
import { Inconclusive } from '../../../results/stop.ts';
import type { Api } from '../api.ts';
import type { Call } from '../call.ts';
import type { ApiKey } from '../key.ts';
import { isUnguessable } from '../reading/unguessable.ts';

/**
 * Which records calls may change or delete: those alone whose ids were allowed. Whoever allows one says that a look showed it to be
 * the run's own (its words, or the id that its create gave, were read in it) or nobody's.
 */
export interface WriteGuard {
  allow(collection: string, id: string): void;
  allows(collection: string, id: string): boolean;
  /** Whether a record of any collection is allowed by that id. */
  allowsAny(id: string): boolean;
  /** A read by its id found nothing with that key, which may be of somebody else's workspace. */
  noteNotFound(call: Call): void;
  /** Throws Inconclusive where a call would change what is not allowed. */
  assert(call: Call): void;
}

/** The key of another workspace: there the run's ids may be somebody else's. */
const isOfOthers = (key: ApiKey | null): boolean => key?.label === 'WORKSPACE_OTHER_API_KEY';

/** `/v1/agents/7`: what the path of a call names, and its id; undefined where it names no record. */
function namedBy<S>({ endpoints }: Pick<Api<S>, 'endpoints'>, path: string): { name: string; id: string } | undefined {
  for (const { path: documented } of endpoints.filter((endpoint) => endpoint.path.includes(':id'))) {
    const [before = ''] = documented.split(':id');
    const id = path.startsWith(before) ? path.slice(before.length).split('/')[0] : undefined;
    if (id !== undefined && id !== '') {
      return { name: before + id, id: decoded(id) };
    }
  }
  return undefined;
}

export function createWriteGuard<S>(api: Pick<Api<S>, 'endpoints'>): WriteGuard {
  const allowed = new Set<string>();
  const ids = new Set<string>();
  const notFound = new Set<string>();
  const nameOf = (collection: string, id: string): string => `${collection}/${encoded(id)}`;
  const withKey = ({ key }: Call, name: string): string => `${key?.label ?? ''} ${name}`;
  return {
    allow(collection, id) {
      allowed.add(nameOf(collection, id));
      ids.add(id);
    },
    allows: (collection, id) => allowed.has(nameOf(collection, id)),
    allowsAny: (id) => ids.has(id),
    noteNotFound(call) {
      const named = namedBy(api, call.path);
      if (named !== undefined) {
        notFound.add(withKey(call, named.name));
      }
    },
    assert(call) {
      const named = isWrite(call.method) ? namedBy(api, call.path) : undefined;
      if (named === undefined) {
        return;
      }
      const isSafe = !isOfOthers(call.key) || isUnguessable(named.id) || notFound.has(withKey(call, named.name));
      if (!allowed.has(named.name) || !isSafe) {
        throw new Inconclusive({
          message: `${call.method} ${call.path} is not sent: no read has shown that this record is the run's own, or nobody's`,
          cause: "The suite changes and deletes nothing but what was proven to be the run's",
        });
      }
    },
  };
}
