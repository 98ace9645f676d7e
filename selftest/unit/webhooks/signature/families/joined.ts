import { base64Secret, hmac, plain, whsec } from '../deliveries.ts';
import { b64, type Family, whsecKey } from './family.ts';

/** Families that join id, time, URL or method with the body (3 to 15). */
export const joined: readonly Family[] = [
  {
    name: '3 Standard Webhooks',
    secret: whsec,
    formula: '<webhook-id>.<webhook-timestamp>.<body>',
    encoding: 'base64',
    key: 'whsec_|base64',
    template: 'v1,{signature}',
    sender: ({ body, id, s }) => ({
      'webhook-id': id,
      'webhook-timestamp': s,
      'webhook-signature': `v1,${b64('old', body)} v1,${b64(whsecKey, `${id}.${s}.${body}`)}`,
    }),
  },
  {
    name: '3 Polar, old secret',
    secret: whsec,
    formula: '<webhook-id>.<webhook-timestamp>.<body>',
    encoding: 'base64',
    sender: ({ body, id, s }) => ({
      'webhook-id': id,
      'webhook-timestamp': s,
      'webhook-signature': `v1,${b64(whsec, `${id}.${s}.${body}`)}`,
    }),
  },
  {
    name: '3 Finch',
    secret: base64Secret,
    formula: '<Finch-Event-Id>.<Finch-Timestamp>.<body>',
    encoding: 'base64',
    key: 'base64',
    sender: ({ body, id, s }) => ({
      'Finch-Event-Id': id,
      'Finch-Timestamp': s,
      'Finch-Signature': `v1,${b64(Buffer.from(base64Secret, 'base64'), `${id}.${s}.${body}`)}`,
    }),
  },
  {
    name: '3 Supabase',
    secret: `v1,${whsec}`,
    formula: '<webhook-id>.<webhook-timestamp>.<body>',
    encoding: 'base64',
    key: 'v1,whsec_|base64',
    sender: ({ body, id, s }) => ({
      'webhook-id': id,
      'webhook-timestamp': s,
      'webhook-signature': `v1,${b64(whsecKey, `${id}.${s}.${body}`)}`,
    }),
  },
  {
    name: '4 Slack',
    secret: plain,
    formula: 'v0:<X-Slack-Request-Timestamp>:<body>',
    template: 'v0={signature}',
    sender: ({ body, s }) => ({
      'X-Slack-Request-Timestamp': s,
      'X-Slack-Signature': `v0=${hmac(plain, `v0:${s}:${body}`)}`,
    }),
  },
  {
    name: '4 Customer.io',
    secret: plain,
    formula: 'v0:<X-CIO-Timestamp>:<body>',
    template: '{signature}',
    sender: ({ body, s }) => ({ 'X-CIO-Timestamp': s, 'X-CIO-Signature': hmac(plain, `v0:${s}:${body}`) }),
  },
  {
    name: '5 Paddle',
    secret: plain,
    formula: '<Paddle-Signature ts=>:<body>',
    template: 'ts={timestamp};h1={signature}',
    sender: ({ body, s }) => ({ 'Paddle-Signature': `ts=${s};h1=${hmac(plain, `${s}:${body}`)}` }),
  },
  {
    name: '5 Front',
    secret: plain,
    formula: '<X-Front-Request-Timestamp>:<body>',
    encoding: 'base64',
    sender: ({ body, ms }) => ({ 'X-Front-Request-Timestamp': ms, 'X-Front-Signature': b64(plain, `${ms}:${body}`) }),
  },
  {
    name: '6 Zendesk',
    secret: plain,
    formula: '<X-Zendesk-Webhook-Signature-Timestamp><body>',
    encoding: 'base64',
    sender: ({ body, iso }) => ({
      'X-Zendesk-Webhook-Signature': b64(plain, iso + body),
      'X-Zendesk-Webhook-Signature-Timestamp': iso,
    }),
  },
  {
    name: '7 Retell',
    secret: plain,
    formula: '<body><x-retell-signature v=>',
    sender: ({ body, ms }) => ({ 'x-retell-signature': `v=${ms},d=${hmac(plain, body + ms)}` }),
  },
  {
    name: '7 Inngest',
    secret: 'signkey-test-a8f3c0d1e2b3a4f5968778695a4b3c2d',
    formula: '<body><x-inngest-signature t=>',
    key: 'signkey-test-|utf8',
    sender: ({ body, s }) => ({
      'x-inngest-signature': `t=${s}&s=${hmac('a8f3c0d1e2b3a4f5968778695a4b3c2d', body + s)}`,
    }),
  },
  {
    name: '7 Box',
    secret: plain,
    formula: '<body><BOX-DELIVERY-TIMESTAMP>',
    encoding: 'base64',
    sender: ({ body, iso }) => ({
      'BOX-DELIVERY-TIMESTAMP': iso,
      'BOX-SIGNATURE-PRIMARY': b64(plain, body + iso),
      'BOX-SIGNATURE-SECONDARY': b64('second', body + iso),
    }),
  },
  {
    name: '7 Ghost',
    secret: plain,
    formula: '<body><X-Ghost-Signature t=>',
    template: 'sha256={signature}, t={timestamp}',
    sender: ({ body, ms }) => ({ 'X-Ghost-Signature': `sha256=${hmac(plain, body + ms)}, t=${ms}` }),
  },
  {
    name: '8 Revolut',
    secret: plain,
    formula: 'v1.<Revolut-Request-Timestamp>.<body>',
    sender: ({ body, ms }) => ({
      'Revolut-Request-Timestamp': ms,
      'Revolut-Signature': `v1=${hmac('old', body)},v1=${hmac(plain, `v1.${ms}.${body}`)}`,
    }),
  },
  {
    name: '9 Twitch',
    secret: plain,
    formula: '<Twitch-Eventsub-Message-Id><Twitch-Eventsub-Message-Timestamp><body>',
    sender: ({ body, id, iso }) => ({
      'Twitch-Eventsub-Message-Id': id,
      'Twitch-Eventsub-Message-Timestamp': iso,
      'Twitch-Eventsub-Message-Signature': `sha256=${hmac(plain, id + iso + body)}`,
    }),
  },
  {
    name: '10 home-made T.I.B',
    secret: plain,
    formula: '<X-Webhook-Timestamp>.<X-Webhook-Nonce>.<body>',
    sender: ({ body, id, s }) => ({
      'X-Webhook-Timestamp': s,
      'X-Webhook-Nonce': id,
      'X-Webhook-Signature': hmac(plain, `${s}.${id}.${body}`),
    }),
  },
  {
    name: '10 Sinch',
    secret: plain,
    formula: '<body>.<x-sinch-webhook-signature-nonce>.<x-sinch-webhook-signature-timestamp>',
    encoding: 'base64',
    sender: ({ body, id, s }) => ({
      'x-sinch-webhook-signature-nonce': id,
      'x-sinch-webhook-signature-timestamp': s,
      'x-sinch-webhook-signature': b64(plain, `${body}.${id}.${s}`),
    }),
  },
  {
    name: '11 Convoy',
    secret: plain,
    formula: '<X-Convoy-Signature t=>,<body>',
    sender: ({ body, s }) => ({
      'X-Convoy-Signature': `t=${s},v1=${hmac('old', `${s},${body}`)},v1=${hmac(plain, `${s},${body}`)}`,
    }),
  },
  {
    name: '12 Metronome',
    secret: plain,
    formula: String.raw`<X-Metronome-Date>\n<body>`,
    sender: ({ body, at }) => ({
      'X-Metronome-Date': new Date(at - 2_000).toUTCString(),
      'Metronome-Webhook-Signature': hmac(plain, `${new Date(at - 2_000).toUTCString()}\n${body}`),
    }),
  },
  {
    name: '13 Square',
    secret: plain,
    formula: '<URL><body>',
    encoding: 'base64',
    sender: ({ body, url }) => ({ 'x-square-hmacsha256-signature': b64(plain, url + body) }),
  },
  {
    name: '14 HubSpot v3',
    secret: plain,
    formula: '<method><URL><body><X-HubSpot-Request-Timestamp>',
    encoding: 'base64',
    sender: ({ body, url, ms }) => ({
      'X-HubSpot-Request-Timestamp': ms,
      'X-HubSpot-Signature-v3': b64(plain, `POST${url}${body}${ms}`),
    }),
  },
  {
    name: '15 Deel',
    secret: plain,
    formula: '<method><body>',
    sender: ({ body }) => ({ 'x-deel-signature': hmac(plain, `POST${body}`) }),
  },
  {
    name: '15 LinkedIn',
    secret: plain,
    formula: 'hmacsha256=<body>',
    sender: ({ body }) => ({ 'X-LI-Signature': hmac(plain, `hmacsha256=${body}`) }),
  },
];
