import type { KeyForm, Part, Place, Scheme } from './scheme.ts';

const header = (name: string, label?: string): Place => ({
  from: 'header',
  name,
  ...(label === undefined ? {} : { label }),
});
const body: Part = { from: 'body' };
const text: KeyForm = { strip: '', decode: 'text' };

/** The schemes of known services, by the names under which receivers can be tested for them. */
export const presets = {
  'standard-webhooks': {
    kind: 'parts',
    signature: { ...header('webhook-signature'), template: 'v1,{signature}', list: ' ' },
    parts: [header('webhook-id'), header('webhook-timestamp'), body],
    joiner: '.',
    encoding: 'base64',
    key: { strip: 'whsec_', decode: 'base64' },
    time: { ...header('webhook-timestamp'), unit: 's' },
  },
  github: {
    kind: 'parts',
    signature: { ...header('X-Hub-Signature-256'), template: 'sha256={signature}' },
    parts: [body],
    joiner: '',
    encoding: 'hex',
    key: text,
  },
  stripe: {
    kind: 'parts',
    signature: { ...header('Stripe-Signature'), template: 't={time},v1={signature}', list: ',' },
    parts: [header('Stripe-Signature', 't='), body],
    joiner: '.',
    encoding: 'hex',
    key: text,
    time: { ...header('Stripe-Signature', 't='), unit: 's' },
  },
  slack: {
    kind: 'parts',
    signature: { ...header('X-Slack-Signature'), template: 'v0={signature}' },
    parts: [{ from: 'text', text: 'v0' }, header('X-Slack-Request-Timestamp'), body],
    joiner: ':',
    encoding: 'hex',
    key: text,
    time: { ...header('X-Slack-Request-Timestamp'), unit: 's' },
  },
  shopify: {
    kind: 'parts',
    signature: { ...header('X-Shopify-Hmac-Sha256'), template: '{signature}' },
    parts: [body],
    joiner: '',
    encoding: 'base64',
    key: text,
  },
  'hubspot-v3': {
    kind: 'parts',
    signature: { ...header('X-HubSpot-Signature-v3'), template: '{signature}' },
    parts: [{ from: 'method' }, { from: 'url' }, body, header('X-HubSpot-Request-Timestamp')],
    joiner: '',
    encoding: 'base64',
    key: text,
    time: { ...header('X-HubSpot-Request-Timestamp'), unit: 'ms' },
  },
} as const satisfies Record<string, Scheme>;

export type PresetName = keyof typeof presets;

export const isPreset = (name: string): name is PresetName => Object.hasOwn(presets, name);
