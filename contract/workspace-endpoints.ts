import { type Endpoint, endpointMaker } from './endpoint.ts';

const call = endpointMaker('workspace', null);

/** The 15 calls of the workspace API, in the document's order. None of their bodies is documented. */
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
