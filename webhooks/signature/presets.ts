import type { HeaderLines } from './delivery.ts';
import type { Encoding, KeyForm, Part, Place, Scheme, SignaturePlace, TimeUnit } from './scheme.ts';

const at = (name: string, label?: string): Place & { readonly from: 'header' } => ({
  from: 'header',
  name,
  ...(label === undefined ? {} : { label }),
});
const body: Part = { from: 'body' };

/** A header's name and template, and what separates several signatures in it. */
const header = (name: string, template: string, list?: SignaturePlace['list']): SignaturePlace => ({
  ...at(name),
  template,
  ...(list === undefined ? {} : { list }),
});

const preset = (
  signature: SignaturePlace,
  parts: readonly Part[],
  joiner: string,
  encoding: Encoding,
  time?: Place & { readonly unit: TimeUnit },
  key: KeyForm = { strip: '', decode: 'text' },
) => ({ kind: 'parts', signature, parts, joiner, encoding, key, ...(time === undefined ? {} : { time }) }) as const;

const [standardTime, stripeTime] = [at('webhook-timestamp'), at('Stripe-Signature', 't=')];
const [slackTime, hubspotTime] = [at('X-Slack-Request-Timestamp'), at('X-HubSpot-Request-Timestamp')];

/** The schemes of known services, by the names under which receivers can be tested for them. */
export const presets = {
  'standard-webhooks': preset(
    header('webhook-signature', 'v1,{signature}', ' '),
    [at('webhook-id'), standardTime, body],
    '.',
    'base64',
    { ...standardTime, unit: 's' },
    { strip: 'whsec_', decode: 'base64' },
  ),
  github: preset(header('X-Hub-Signature-256', 'sha256={signature}'), [body], '', 'hex'),
  stripe: preset(header('Stripe-Signature', 't={time},v1={signature}', ','), [stripeTime, body], '.', 'hex', {
    ...stripeTime,
    unit: 's',
  }),
  slack: preset(
    header('X-Slack-Signature', 'v0={signature}'),
    [{ from: 'text', text: 'v0' }, slackTime, body],
    ':',
    'hex',
    { ...slackTime, unit: 's' },
  ),
  shopify: preset(header('X-Shopify-Hmac-Sha256', '{signature}'), [body], '', 'base64'),
  'hubspot-v3': preset(
    header('X-HubSpot-Signature-v3', '{signature}'),
    [{ from: 'method' }, { from: 'url' }, body, hubspotTime],
    '',
    'base64',
    { ...hubspotTime, unit: 'ms' },
  ),
} satisfies Record<string, Scheme>;

export type PresetName = keyof typeof presets;

/** The headers that a service sends with each delivery besides those of its signature, and libraries of receivers demand. */
export const usualHeaders = (name: string, id: string): HeaderLines =>
  ({
    github: [
      ['X-GitHub-Event', 'ping'],
      ['X-GitHub-Delivery', id],
    ] as const,
    shopify: [
      ['X-Shopify-Topic', 'orders/create'],
      ['X-Shopify-Shop-Domain', 'example.myshopify.com'],
      ['X-Shopify-API-Version', '2026-10'],
      ['X-Shopify-Webhook-Id', id],
    ] as const,
  })[name] ?? [];

export const isPreset = (name: string): name is PresetName => Object.hasOwn(presets, name);
