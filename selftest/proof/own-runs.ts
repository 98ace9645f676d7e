import type { Api } from '../../contract/clause.ts';
import { type Ledger, memoryLedger } from '../../suites/session/ledger.ts';

/** A run with bodies of the user's own, which are sent in place of those that are guessed; and the deployment that it meets. */
interface OwnRun {
  readonly api: Api;
  readonly userBodies: Readonly<Record<string, unknown>>;
  readonly chosen?: Readonly<Record<string, string>>;
  readonly fault?: string;
}

const changes = {
  'PATCH /v1/leads/:id': { company: 'Changed by {{run}}', score: 71, active: true, tags: [null, 'new'] },
  'PATCH /v1/agents/:id': { configuration: { greeting: 'Changed by {{run}}' } },
};

/** By what the run is called. */
export const ownRuns: Readonly<Record<string, OwnRun>> = {
  'own changes': { api: 'workspace', userBodies: changes },
  'own changes, where no other is taken': {
    api: 'workspace',
    chosen: { 'workspace-kept-fields': 'all' },
    userBodies: { 'PATCH /v1/leads/:id': { blueprint: 'sales' }, 'PATCH /v1/agents/:id': { blueprint: 'sales' } },
  },
  'own changes, which are not stored': {
    api: 'workspace',
    fault: 'workspace-leads-patch-not-stored',
    userBodies: changes,
  },
  'own bodies': {
    api: 'workspace',
    userBodies: {
      'POST /v1/agents': { name: 'Desk {{run}}', language: 'en' },
      'POST /v1/bookings': { title: 'Meeting {{run}}', start_time: '2031-03-03T09:00:00Z' },
      'POST /v1/webhooks': { url: '{{webhook_url}}', secret: '{{webhook_secret}}', name: 'For {{run}}' },
      'PATCH /v1/agents/:id': { language: 'de', description: 'Changed by {{run}}' },
    },
  },
  'own bodies, which are refused': {
    api: 'workspace',
    userBodies: { 'POST /v1/agents': { title: 'Desk {{run}}' }, 'POST /v1/webhooks': { address: '{{webhook_url}}' } },
  },
  'own agents': { api: 'workspace', userBodies: { 'POST /v1/agents': { name: 'Desk {{run}}', blueprint: 'sales' } } },
  'own leads, without words of the run': {
    api: 'workspace',
    userBodies: { 'POST /v1/leads': { name: 'Ann', email: 'ann@example.com' } },
  },
  'a webhook for one event': {
    api: 'workspace',
    userBodies: { 'POST /v1/webhooks': { url: '{{webhook_url}}', events: ['booking.created'] } },
  },
  'a webhook for any event': {
    api: 'workspace',
    userBodies: { 'POST /v1/webhooks': { url: '{{webhook_url}}', events: ['*'], secret: '{{webhook_secret}}' } },
  },
};

/** A ledger in which two other runs left a line: one with the other API, one with another deployment. */
export function sharedLedger(): Ledger {
  const ledger = memoryLedger();
  ledger.intend({
    api: 'developer',
    origin: 'http://reference.test',
    collection: '/api/v1/developer/keys',
    keySetting: 'SANDBOX_API_KEY',
    tag: 'other1',
  });
  ledger.intend({
    api: 'workspace',
    origin: 'http://elsewhere.test',
    collection: '/v1/agents',
    keySetting: 'WORKSPACE_API_KEY',
    tag: 'other2',
  });
  return ledger;
}
