import { decoded, encoded } from '../../common/uri.ts';
import { isWrite } from '../../contract/endpoint.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Api } from './api.ts';
import type { Call } from './call.ts';
import type { ApiKey } from './key.ts';

/**
 * On what grounds a call may change or delete what its path names. Only ids that stand here are sent in such calls: whoever
 * puts one in says that a look showed whose it is.
 */
export interface Grounds {
  /** The run's own: its words, or the id that its create gave, were read in the record. */
  own(collection: string, id: string): void;
  /** Whether calls may name it. */
  holds(collection: string, id: string): boolean;
  /** Whether a record of any collection is known by it. */
  holdsAny(id: string): boolean;
  /** Nobody's: a read by this id found nothing, or nobody can have it. */
  nobodys(collection: string, id: string): void;
  /** A read by its id found nothing with that key, which may be of somebody else's workspace. */
  notSeen(call: Call): void;
  /** Throws Inconclusive where a call would change what is not known to be the run's. */
  assert(call: Call): void;
}

/** No character of one checks the others. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Digests, and ids of databases. */
const hex = /^(?=.*[a-f].*[a-f])(?=.*\d.*\d)[0-9a-f]{24,}$/i;

/** Words change between small letters, capitals and digits now and then; what is random does so all the time. */
function isRandom(text: string, least: number, share: number): boolean {
  const turns = text.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])/g)?.length ?? 0;
  return text.length >= least && turns >= (text.length - 1) * share;
}

/**
 * Whether an id is so long and so mixed that one which was made up like it is nobody's: no number, word or date, and none of
 * these with others behind them.
 */
export function isUnguessable(id: string): boolean {
  const last = /[A-Za-z0-9]*$/.exec(id)?.[0] ?? '';
  // The marks that URL-safe base64 has among its letters may stand anywhere.
  return uuid.test(id) || hex.test(last) || isRandom(last, 16, 0.25) || isRandom(id.replace(/[_-]/g, ''), 18, 0.4);
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

export function createGrounds<S>(api: Pick<Api<S>, 'endpoints'>): Grounds {
  const known = new Set<string>();
  const ids = new Set<string>();
  const notSeen = new Set<string>();
  const nameOf = (collection: string, id: string): string => `${collection}/${encoded(id)}`;
  const sighted = ({ key }: Call, name: string): string => `${key?.label ?? ''} ${name}`;
  const note = (collection: string, id: string): void => {
    known.add(nameOf(collection, id));
    ids.add(id);
  };
  return {
    own: note,
    nobodys: note,
    holds: (collection, id) => known.has(nameOf(collection, id)),
    holdsAny: (id) => ids.has(id),
    notSeen(call) {
      const named = namedBy(api, call.path);
      if (named !== undefined) {
        notSeen.add(sighted(call, named.name));
      }
    },
    assert(call) {
      const named = isWrite(call.method) ? namedBy(api, call.path) : undefined;
      if (named === undefined) {
        return;
      }
      const isSafe = !isOfOthers(call.key) || isUnguessable(named.id) || notSeen.has(sighted(call, named.name));
      if (!known.has(named.name) || !isSafe) {
        throw new Inconclusive({
          message: `${call.method} ${call.path} is not sent: no read has shown that this record is the run's own, or nobody's`,
          cause: "The suite changes and deletes nothing but what was proven to be the run's",
        });
      }
    },
  };
}
