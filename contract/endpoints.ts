import { developerEndpoints } from './developer-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { workspaceEndpoints } from './workspace-endpoints.ts';

/** All endpoints, in the order of the documents. */
export const endpoints: readonly Endpoint[] = [...developerEndpoints, ...workspaceEndpoints];

const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));

/** The documented endpoint of that id, of either API. Throws where there is none: an unknown id is a defect of ours. */
export function endpointOf(id: string): Endpoint {
  const found = byId.get(id);
  if (found === undefined) {
    throw new Error(`Cannot find an endpoint: ${id} is not in the contract`);
  }
  return found;
}

/** Whether the contract has an endpoint of that id. */
export const isEndpoint = (id: string): boolean => byId.has(id);
