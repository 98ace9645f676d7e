import type { ApiName } from '../../contract/clause.ts';
import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import { plainRead } from './plan.ts';

const endpoints: Readonly<Record<ApiName, readonly Endpoint[]>> = {
  developer: developerEndpoints,
  workspace: workspaceEndpoints,
};

const readsOf = (api: ApiName): readonly Endpoint[] =>
  endpoints[api].filter(({ method, path }) => method === 'GET' && !path.includes(':'));

/** The paths of all documented reads that need no id. */
export const allReads = (api: ApiName): string[] => readsOf(api).map(({ path }) => path);

/** The reads that are tried while a key is refused: all others, and one of them with a documented parameter. */
export function otherReads(api: ApiName): string[] {
  const others = readsOf(api).filter(({ path }) => path !== plainRead[api]);
  const filtered = others.find(({ query }) => query[0]?.values !== undefined);
  const [filter] = filtered?.query ?? [];
  return [
    ...others.map(({ path }) => path),
    ...(filtered === undefined ? [] : [`${filtered.path}?${filter?.name}=${filter?.values?.[0]}`]),
  ];
}
