import type { Endpoint, Method } from './endpoint.ts';

const call = (line: `${Method} /${string}`, clause: string, rest: Partial<Endpoint> = {}): Endpoint => {
  const [method, path] = line.split(' ') as [Method, string];
  return { id: line, method, path, scope: null, query: [], clause: `workspace.${clause}`, ...rest };
};

/** The 15 calls of the workspace API, in the document's order. No body of theirs is documented. */
export const workspaceEndpoints: readonly Endpoint[] = [
  call('GET /v1/agents', 'agents.list'),
  call('GET /v1/agents/:id', 'agents.get'),
  call('POST /v1/agents', 'agents.create', { body: null }),
  call('PATCH /v1/agents/:id', 'agents.update', { body: null }),
  call('DELETE /v1/agents/:id', 'agents.delete'),
  call('GET /v1/leads', 'leads.list'),
  call('POST /v1/leads', 'leads.create', { body: null }),
  call('GET /v1/leads/:id', 'leads.get'),
  call('PATCH /v1/leads/:id', 'leads.update', { body: null }),
  call('GET /v1/bookings', 'bookings.list'),
  call('POST /v1/bookings', 'bookings.create', { body: null }),
  call('DELETE /v1/bookings/:id', 'bookings.cancel'),
  call('GET /v1/webhooks', 'webhooks.list'),
  call('POST /v1/webhooks', 'webhooks.register', { body: null }),
  call('DELETE /v1/webhooks/:id', 'webhooks.remove'),
];
