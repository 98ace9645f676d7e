import type { Part, Scheme, Source } from './scheme.ts';

const header = (name: string, label: string | null = null): Source => ({ in: 'header', name, label });
const at = (source: Source): Part => ({ kind: 'value', role: 'timestamp', source });
const text = (literal: string): Part => ({ kind: 'literal', text: literal });
const body: Part = { kind: 'body', form: 'raw' };
const plainKey = { strip: '', decode: 'utf8' } as const;

/** The schemes of known services, by the names under which receivers can be tested for them. */
export const presets = {
  'standard-webhooks': {
    signature: { source: header('webhook-signature', 'v1,'), template: 'v1,{signature}', list: ' ' },
    content: {
      kind: 'parts',
      parts: [
        { kind: 'value', role: 'id', source: header('webhook-id') },
        text('.'),
        at(header('webhook-timestamp')),
        text('.'),
        body,
      ],
    },
    encoding: 'base64',
    key: { strip: 'whsec_', decode: 'base64' },
    timestamp: { source: header('webhook-timestamp'), unit: 's', covered: true },
  },
  github: {
    signature: { source: header('X-Hub-Signature-256', 'sha256='), template: 'sha256={signature}' },
    content: { kind: 'parts', parts: [body] },
    encoding: 'hex',
    key: plainKey,
  },
  stripe: {
    signature: { source: header('Stripe-Signature', 'v1='), template: 't={timestamp},v1={signature}', list: ',' },
    content: { kind: 'parts', parts: [at(header('Stripe-Signature', 't=')), text('.'), body] },
    encoding: 'hex',
    key: plainKey,
    timestamp: { source: header('Stripe-Signature', 't='), unit: 's', covered: true },
  },
  slack: {
    signature: { source: header('X-Slack-Signature', 'v0='), template: 'v0={signature}' },
    content: { kind: 'parts', parts: [text('v0:'), at(header('X-Slack-Request-Timestamp')), text(':'), body] },
    encoding: 'hex',
    key: plainKey,
    timestamp: { source: header('X-Slack-Request-Timestamp'), unit: 's', covered: true },
  },
  shopify: {
    signature: { source: header('X-Shopify-Hmac-Sha256'), template: '{signature}' },
    content: { kind: 'parts', parts: [body] },
    encoding: 'base64',
    key: plainKey,
  },
  'hubspot-v3': {
    signature: { source: header('X-HubSpot-Signature-v3'), template: '{signature}' },
    content: {
      kind: 'parts',
      parts: [{ kind: 'method' }, { kind: 'url', form: 'registered' }, body, at(header('X-HubSpot-Request-Timestamp'))],
    },
    encoding: 'base64',
    key: plainKey,
    timestamp: { source: header('X-HubSpot-Request-Timestamp'), unit: 'ms', covered: true },
  },
} as const satisfies Record<string, Scheme>;

export type PresetName = keyof typeof presets;

export const isPreset = (name: string): name is PresetName => Object.hasOwn(presets, name);
