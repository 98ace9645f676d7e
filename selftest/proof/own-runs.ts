import type { Api } from '../../contract/clause.ts';
import { memoryLedger, type Ledger } from '../../suites/kit/ledger.ts';

/** Bodies of the user's own, by what the run is called: they are sent in place of those that are guessed. */
export const ownBodies: Readonly<Record<string, { readonly api: Api; readonly bodies: Readonly<Record<string, unknown>> }>> = {
  'own changes': {
    api: 'workspace',
    bodies: {
      'PATCH /v1/leads/:id': { company: 'Changed by {{run}}', score: 71, active: true, tags: [null, 'new'] },
      'PATCH /v1/agents/:id': { configuration: { greeting: 'Changed by {{run}}' } },
    },
  },
  'own agents': { api: 'workspace', bodies: { 'POST /v1/agents': { name: 'Desk {{run}}', blueprint: 'sales' } } },
  'a webhook for one event': { api: 'workspace', bodies: { 'POST /v1/webhooks': { url: '{{webhook_url}}', events: ['booking.created'] } } },
  'a webhook for any event': { api: 'workspace', bodies: { 'POST /v1/webhooks': { url: '{{webhook_url}}', events: ['*'], secret: '{{webhook_secret}}' } } },
};

/** A ledger in which two other runs left a line: one with the other API, one with another deployment. */
export function sharedLedger(): Ledger {
  const ledger = memoryLedger();
  ledger.intend({ api: 'developer', origin: 'http://reference.test', collection: '/api/v1/developer/keys', keySetting: 'SANDBOX_API_KEY', tag: 'other1' });
  ledger.intend({ api: 'workspace', origin: 'http://elsewhere.test', collection: '/v1/agents', keySetting: 'WORKSPACE_API_KEY', tag: 'other2' });
  return ledger;
}
