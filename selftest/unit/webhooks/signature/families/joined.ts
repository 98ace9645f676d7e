import { base64Secret, whsec } from '../deliveries.ts';
import { type Family, family, whsecKey } from './family.ts';

const standard = '<webhook-id>.<webhook-timestamp>.<body>';
const standardHeaders = ['webhook-id: {id}', 'webhook-timestamp: {s}', 'webhook-signature: v1,{base64}'];

/** Families that join id, time, URL or method with the body (3 to 15). */
export const joined: readonly Family[] = [
  family('3 Standard Webhooks', '{id}.{s}.{body}', [...standardHeaders, 'webhook-signature: v1,{old64} v1,{base64}'], {
    secret: whsec,
    bytes: whsecKey,
    formula: standard,
    key: 'whsec_|base64',
    template: 'v1,{signature}',
  }),
  family('3 Polar, old secret', '{id}.{s}.{body}', standardHeaders, { secret: whsec, formula: standard }),
  family(
    '3 Finch',
    '{id}.{s}.{body}',
    ['Finch-Event-Id: {id}', 'Finch-Timestamp: {s}', 'Finch-Signature: v1,{base64}'],
    {
      secret: base64Secret,
      bytes: Buffer.from(base64Secret, 'base64'),
      formula: '<Finch-Event-Id>.<Finch-Timestamp>.<body>',
      key: 'base64',
    },
  ),
  family('3 Supabase', '{id}.{s}.{body}', standardHeaders, {
    secret: `v1,${whsec}`,
    bytes: whsecKey,
    formula: standard,
    key: 'v1,whsec_|base64',
  }),
  family('4 Slack', 'v0:{s}:{body}', ['X-Slack-Request-Timestamp: {s}', 'X-Slack-Signature: v0={hex}'], {
    formula: 'v0:<X-Slack-Request-Timestamp>:<body>',
    template: 'v0={signature}',
  }),
  family('4 Customer.io', 'v0:{s}:{body}', ['X-CIO-Timestamp: {s}', 'X-CIO-Signature: {hex}'], {
    formula: 'v0:<X-CIO-Timestamp>:<body>',
    template: '{signature}',
  }),
  family('5 Paddle', '{s}:{body}', ['Paddle-Signature: ts={s};h1={hex}'], {
    formula: '<Paddle-Signature ts=>:<body>',
    template: 'ts={timestamp};h1={signature}',
  }),
  family('5 Front', '{ms}:{body}', ['X-Front-Request-Timestamp: {ms}', 'X-Front-Signature: {base64}'], {
    formula: '<X-Front-Request-Timestamp>:<body>',
  }),
  family(
    '6 Zendesk',
    '{iso}{body}',
    ['X-Zendesk-Webhook-Signature: {base64}', 'X-Zendesk-Webhook-Signature-Timestamp: {iso}'],
    { formula: '<X-Zendesk-Webhook-Signature-Timestamp><body>' },
  ),
  family('7 Retell', '{body}{ms}', ['x-retell-signature: v={ms},d={hex}'], {
    formula: '<body><x-retell-signature v=>',
  }),
  family('7 Inngest', '{body}{s}', ['x-inngest-signature: t={s}&s={hex}'], {
    secret: 'signkey-test-a8f3c0d1e2b3a4f5968778695a4b3c2d',
    bytes: 'a8f3c0d1e2b3a4f5968778695a4b3c2d',
    formula: '<body><x-inngest-signature t=>',
    key: 'signkey-test-|utf8',
  }),
  family(
    '7 Box',
    '{body}{iso}',
    ['BOX-DELIVERY-TIMESTAMP: {iso}', 'BOX-SIGNATURE-PRIMARY: {base64}', 'BOX-SIGNATURE-SECONDARY: {old64}'],
    { formula: '<body><BOX-DELIVERY-TIMESTAMP>' },
  ),
  family('7 Ghost', '{body}{ms}', ['X-Ghost-Signature: sha256={hex}, t={ms}'], {
    formula: '<body><X-Ghost-Signature t=>',
    template: 'sha256={signature}, t={timestamp}',
  }),
  family('8 Revolut', 'v1.{ms}.{body}', ['Revolut-Request-Timestamp: {ms}', 'Revolut-Signature: v1={old},v1={hex}'], {
    formula: 'v1.<Revolut-Request-Timestamp>.<body>',
  }),
  family(
    '9 Twitch',
    '{id}{iso}{body}',
    [
      'Twitch-Eventsub-Message-Id: {id}',
      'Twitch-Eventsub-Message-Timestamp: {iso}',
      'Twitch-Eventsub-Message-Signature: sha256={hex}',
    ],
    { formula: '<Twitch-Eventsub-Message-Id><Twitch-Eventsub-Message-Timestamp><body>' },
  ),
  family(
    '10 home-made T.I.B',
    '{s}.{id}.{body}',
    ['X-Webhook-Timestamp: {s}', 'X-Webhook-Nonce: {id}', 'X-Webhook-Signature: {hex}'],
    { formula: '<X-Webhook-Timestamp>.<X-Webhook-Nonce>.<body>' },
  ),
  family(
    '10 Sinch',
    '{body}.{id}.{s}',
    [
      'x-sinch-webhook-signature-nonce: {id}',
      'x-sinch-webhook-signature-timestamp: {s}',
      'x-sinch-webhook-signature: {base64}',
    ],
    { formula: '<body>.<x-sinch-webhook-signature-nonce>.<x-sinch-webhook-signature-timestamp>' },
  ),
  family('11 Convoy', '{s},{body}', ['X-Convoy-Signature: t={s},v1={old},v1={hex}'], {
    formula: '<X-Convoy-Signature t=>,<body>',
  }),
  family('12 Metronome', '{http}\n{body}', ['X-Metronome-Date: {http}', 'Metronome-Webhook-Signature: {hex}'], {
    formula: String.raw`<X-Metronome-Date>\n<body>`,
  }),
  family('13 Square', '{url}{body}', ['x-square-hmacsha256-signature: {base64}'], { formula: '<URL><body>' }),
  family(
    '14 HubSpot v3',
    'POST{url}{body}{ms}',
    ['X-HubSpot-Request-Timestamp: {ms}', 'X-HubSpot-Signature-v3: {base64}'],
    { formula: '<method><URL><body><X-HubSpot-Request-Timestamp>' },
  ),
  family('15 Deel', 'POST{body}', ['x-deel-signature: {hex}'], { formula: '<method><body>' }),
  family('15 LinkedIn', 'hmacsha256={body}', ['X-LI-Signature: {hex}'], { formula: 'hmacsha256=<body>' }),
];
