import type { ApiName } from '../../contract/clause.ts';
import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import type { Read } from '../seam/plan.ts';

/** The plain read of each API, with which limits are tried: a documented read that is cheap for the deployment. */
export const plainRead: Readonly<Record<ApiName, string>> = {
  developer: '/api/v1/platform/me',
  workspace: '/v1/agents',
};

const endpoints: Readonly<Record<ApiName, readonly Endpoint[]>> = {
  developer: developerEndpoints,
  workspace: workspaceEndpoints,
};

const readsOf = (api: ApiName): readonly Endpoint[] =>
  endpoints[api].filter(({ method, path }) => method === 'GET' && !path.includes(':'));

/** The URLs of all documented reads that need no id. */
export const allReads = (api: ApiName, origin = ''): string[] => readsOf(api).map(({ path }) => origin + path);

/** The reads that are tried while a key is refused: all others, and one of them with a documented parameter. */
export function otherReads(api: ApiName): Read[] {
  const others = readsOf(api).filter(({ path }) => path !== plainRead[api]);
  const filtered = others.find(({ query }) => query[0]?.values !== undefined);
  const [filter] = filtered?.query ?? [];
  const paths = [
    ...others.map(({ path }) => path),
    filtered && `${filtered.path}?${filter?.name}=${filter?.values?.[0]}`,
  ];
  return paths.flatMap((path) => (path === undefined ? [] : [{ route: `GET ${path}`, path }]));
}
