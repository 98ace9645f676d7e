import { developerEndpoints } from './developer-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { workspaceEndpoints } from './workspace-endpoints.ts';

/** All endpoints, in the order of the documents. */
export const endpoints: readonly Endpoint[] = [...developerEndpoints, ...workspaceEndpoints];

const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));

/**
 * The documented endpoint with that id, of either API. Throws if there is none: only our own code can ask for an
 * unknown id.
 */
export function endpointOf(id: string): Endpoint {
  const found = byId.get(id);
  if (found === undefined) {
    throw new Error(`Cannot find an endpoint: ${id} is not in the contract`);
  }
  return found;
}

/** Whether the contract has an endpoint with that id. */
export const isEndpoint = (id: string): boolean => byId.has(id);

/** Whether a path, which may have more before it, ends as that of an endpoint. */
export const isPathOf = ({ path }: Endpoint, text: string): boolean =>
  new RegExp(`${path.replace(/:\w+/g, '[^/]+')}/?$`).test(text);
