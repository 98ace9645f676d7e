import { CannotRun } from '../../common/cannot-run.ts';
import { counted, firstOf } from '../../common/words.ts';
import type { ApiName } from '../../contract/clause.ts';
import { isPathOf } from '../../contract/endpoints.ts';
import { developerApi } from '../developer/api.ts';
import { workspaceApi } from '../workspace/api.ts';
import type { RecordedCall } from './har-entry.ts';

const apis = [developerApi, workspaceApi];

/** A recorded call, taken as one to an API. `origin`: what stands before the documented path. */
export type Placed = ReturnType<typeof placesOf>[number];

/** What a path is below: `/v1/agents`. */
const resourceOf = (path: string): string => /^(?:\/api)?\/v1\/[^/]+/.exec(path)?.[0] ?? '';
const resources = new Set(apis.flatMap(({ endpoints }) => endpoints.map(({ path }) => resourceOf(path))));

/**
 * The ways to read a call: `/api/v1/agents` may be the developer API's, or the workspace API's below `/api`. Of paths
 * below no documented one, only that nothing is there says something of the API: `/v1/health` and `/v1/docs` do not.
 */
function placesOf(call: RecordedCall) {
  const { pathname, origin } = call.url;
  return apis.flatMap((api) => {
    const at = pathname.indexOf(`${api.root}/`);
    if (at < 0) {
      return [];
    }
    const path = pathname.slice(at);
    const endpoint = api.endpoints.find((one) => one.method === call.method && isPathOf(one, path));
    const isOwn = call.status === 404 || resources.has(resourceOf(path));
    return isOwn ? [{ call, api, origin: origin + pathname.slice(0, at), endpoint }] : [];
  });
}

/** The origins that the user names. */
export interface NamedOrigins {
  /** Those of the command line: of either API. */
  readonly given: readonly string[];
  /** Those of the settings. */
  readonly settings: Readonly<Partial<Record<ApiName, string>>>;
}

/**
 * The calls to one origin for each API: the one that the user names, else the one with the most calls of documented
 * endpoints. A recording of a page holds calls to other companies, too, whose paths may look alike. Throws CannotRun
 * where no call is left; for its message, `name` is the recording's name, and `leftOut` says which entries are no
 * calls.
 */
export function choose(
  calls: readonly RecordedCall[],
  named: NamedOrigins,
  { name, leftOut }: { readonly name: string; readonly leftOut: readonly string[] },
) {
  const placed = calls.flatMap(placesOf);
  const origins: Partial<Record<ApiName, string>> = Object.fromEntries(
    apis.flatMap(({ name: api }) => originOf(placed, api, named).map((origin) => [api, origin])),
  );
  const own = placed.filter(({ api, origin }) => origins[api.name] === origin);
  // A call to a documented endpoint of one API is none of the other.
  const documented = new Set(own.filter(isDocumented).map(({ call }) => call));
  const chosen = own.filter((one) => isDocumented(one) || !documented.has(one.call));
  if (calls.length === 0 && leftOut.length > 0) {
    throw new CannotRun(
      `Cannot judge ${name}: it has no call that the deployment answered (${leftOut.join('; ')}); record calls of the deployment`,
    );
  }
  if (chosen.length === 0) {
    const present = [...new Set(placed.map(({ origin }) => origin))];
    const hint = present.length === 0 ? '' : ` (it has calls to ${firstOf(present, 3)})`;
    throw new CannotRun(
      `Cannot judge ${name}: it has ${counted(calls.length, 'call')}, and none of a documented endpoint below /api/v1/ or /v1/${named.given.length > 0 ? ` at ${named.given.join(', ')}` : ''}; record calls of the deployment, or name its origin with --origin${hint}`,
    );
  }
  return { origins, calls: chosen };
}

const isDocumented = ({ endpoint }: Placed): boolean => endpoint !== undefined;

/** The origin of an API, or none: of several the one with the most calls of documented endpoints. */
function originOf(placed: readonly Placed[], api: ApiName, { given, settings }: NamedOrigins): readonly string[] {
  const calls = placed.filter((one) => one.api.name === api);
  const names = given.length > 0 ? given.map((url) => url.replace(/\/+$/, '')) : [settings[api]];
  const named = calls.filter(({ origin }) => names.includes(origin));
  const isNamed = given.length > 0 || named.length > 0;
  const byOrigin = Map.groupBy(isNamed ? named : calls.filter(isDocumented), ({ origin }) => origin);
  const countOf = (some: readonly Placed[]): number => some.filter(isDocumented).length;
  const [best] = [...byOrigin].sort(([, a], [, b]) => countOf(b) - countOf(a));
  return best === undefined ? [] : [best[0]];
}
