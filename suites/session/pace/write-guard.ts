import { decoded } from '../../../common/uri.ts';
import { isWrite } from '../../../contract/endpoint.ts';
import { Inconclusive } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import { isUnguessable } from '../../reading/record.ts';
import type { Api } from '../api.ts';
import { type ApiKey, type Call, isOfOtherWorkspace, recordPath, type SentCall } from '../call.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** Lets calls change or delete only the records whose ids were allowed. */
export type WriteGuard = ReturnType<typeof createWriteGuard>;

/** `sent`: the calls of the run. */
export function createWriteGuard<S>(
  api: Pick<Api<S>, 'endpoints'>,
  ledger: Pick<Ledger, 'isOther'>,
  sent: readonly Pick<SentCall, 'call' | 'status'>[] = [],
) {
  /** By name, how many calls had been answered when it was allowed. */
  const allowed = new Map<string, number>();
  /** Records that a key made, by its label. */
  const madeWith = new Map<string, string>();
  const unproven = new Map<string, Omit<Finding, 'message'>>();
  const forbidden = new Map<string, Finding>();
  /** Records that a key's list does not have, by its label. */
  const unlisted = new Map<string, string>();
  /** Whether a read with a key found nothing under an id: then the id is unused in its workspace, too. */
  const isUnused = (key: ApiKey | null, name: string): boolean =>
    unlisted.get(name) === key?.label ||
    sent.some(
      ({ call, status }) =>
        call.method === 'GET' &&
        [403, 404].includes(status) &&
        call.key?.label === key?.label &&
        namedBy(api, call.path)?.name === name,
    );
  /** Whether others may have got an id since it was allowed: a deletion had its effect, or may have. */
  const mayBeGivenAnew = (name: string, id: string): boolean =>
    !isUnguessable(id) &&
    sent.slice(allowed.get(name)).some((one) => mayHaveDeleted(one) && namedBy(api, one.call.path)?.name === name);
  const isAllowed = (name: string, id: string): boolean => allowed.has(name) && !mayBeGivenAnew(name, id);
  return {
    /**
     * Allows changes under an id until it may be given anew. The caller vouches that a read or a list showed the record
     * to be the run's own (by its words, or by the id that its create gave) or the id to be unused. Returns false where
     * the ledger has it as that of a record which was there before: then it allows nothing. `maker`: the key that made
     * the record.
     */
    allow(collection: string, id: string, maker?: ApiKey): boolean {
      if (ledger.isOther(collection, id)) {
        return false;
      }
      allowed.set(recordPath(collection, id), sent.length);
      if (maker !== undefined) {
        madeWith.set(recordPath(collection, id), maker.label);
      }
      return true;
    },
    allows: (collection: string, id: string): boolean => isAllowed(recordPath(collection, id), id),
    /** Notes why an id is not proven to be that of a record of the run: a call that needs it says so. */
    noteUnproven: (collection: string, id: string, why: Omit<Finding, 'message'>): void => {
      unproven.set(recordPath(collection, id), why);
    },
    /** Notes that all of the list that a key reads shows no record with an id. */
    noteUnlisted: (collection: string, id: string, key: ApiKey): void => {
      unlisted.set(recordPath(collection, id), key.label);
    },
    /** Lets no more deletions in a collection pass, nor creations, whose records would stay: they break that clause. */
    forbid: (collection: string, why: Finding): void => {
      forbidden.set(collection, why);
    },
    /** Throws Inconclusive where a call would change a record that is not allowed. */
    assert(call: Call): void {
      const named = isWrite(call.method) ? namedBy(api, call.path) : undefined;
      const harm = forbidden.get(named?.collection ?? call.path);
      if (harm !== undefined && ['POST', 'DELETE'].includes(call.method)) {
        throw new Inconclusive(harm);
      }
      if (named === undefined) {
        return;
      }
      // Where that key made the record, this workspace may have one with its id.
      const isMade = madeWith.get(named.name) === call.key?.label;
      const isFree = isMade ? unlisted.has(named.name) : isUnused(call.key, named.name);
      const mayBeTheirs = isOfOtherWorkspace(call.key) && !isUnguessable(named.id) && !isFree;
      if (!isAllowed(named.name, named.id) || mayBeTheirs) {
        const why = mayBeTheirs
          ? 'the other workspace may have a record of its own with this id'
          : 'no read confirmed that this run created the record';
        throw new Inconclusive({
          message: `${call.method} ${call.path} was not sent: ${why}`,
          cause: "The suite changes and deletes only what is proven to be the run's own",
          ...unproven.get(named.name),
        });
      }
    },
  };
}

/** Whether a deletion succeeded, or may have: it broke, or did not find what was there. */
const mayHaveDeleted = ({ call, status }: Pick<SentCall, 'call' | 'status'>): boolean =>
  call.method === 'DELETE' && (status < 300 || status >= 500 || (call.deletes === true && [404, 410].includes(status)));

/**
 * The record that the path of a call names: `/v1/agents/7` in `/v1/agents/7/usage`, which has the id as paths have it;
 * undefined where it names none.
 */
function namedBy<S>({ endpoints }: Pick<Api<S>, 'endpoints'>, path: string) {
  for (const { path: documented } of endpoints.filter((endpoint) => endpoint.path.includes(':id'))) {
    const [before = ''] = documented.split(':id');
    const id = path.startsWith(before) ? path.slice(before.length).split('/')[0] : undefined;
    if (id !== undefined && id !== '') {
      return { name: before + id, collection: before.slice(0, -1), id: decoded(id) };
    }
  }
  return undefined;
}
