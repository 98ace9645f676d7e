import type { Endpoint } from '../../contract/endpoint.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import type { Kind } from '../../fixtures/workspace-bodies.ts';

const byId = new Map(workspaceEndpoints.map((endpoint) => [endpoint.id, endpoint]));

/** The documented endpoint of that id. Throws where there is none: a defect of ours. */
export function endpoint(id: string): Endpoint {
  const found = byId.get(id);
  if (!found) {
    throw new Error(`Cannot find an endpoint: ${id} is not in the contract`);
  }
  return found;
}

export const kinds: readonly Kind[] = ['agents', 'leads', 'bookings', 'webhooks'];

/** The resource that an endpoint is about. */
export const kindOf = ({ path }: Pick<Endpoint, 'path'>): Kind => path.split('/')[2] as Kind;

/** What one record of a kind is called. */
export const nounOf = (kind: Kind): string => kind.slice(0, -1);

export const listing = (kind: Kind): Endpoint => endpoint(`GET /v1/${kind}`);
export const creating = (kind: Kind): Endpoint => endpoint(`POST /v1/${kind}`);
export const reading = (kind: 'agents' | 'leads'): Endpoint => endpoint(`GET /v1/${kind}/:id`);
export const changing = (kind: 'agents' | 'leads'): Endpoint => endpoint(`PATCH /v1/${kind}/:id`);
export const deleting = (kind: Exclude<Kind, 'leads'>): Endpoint => endpoint(`DELETE /v1/${kind}/:id`);
