import { hexSecret, whsec } from '../deliveries.ts';
import { type Family, family } from './family.ts';

/** Families that sign time and body, by the grammar of their headers (2a to 2f). */
export const timed: readonly Family[] = [
  family('2a Stripe', '{s}.{body}', ['Stripe-Signature: t={s},v1={hex},v0={old}'], {
    secret: whsec,
    formula: '<Stripe-Signature t=>.<body>',
    template: 't={timestamp},v1={signature}',
  }),
  family('2a TikTok', '{s}.{body}', ['TikTok-Signature: t={s},s={hex}'], { formula: '<TikTok-Signature t=>.<body>' }),
  family('2b WorkOS', '{ms}.{body}', ['WorkOS-Signature: t={ms}, v1={hex}'], {
    formula: '<WorkOS-Signature t=>.<body>',
  }),
  family('2b Sanity', '{ms}.{body}', ['sanity-webhook-signature: t={ms},v1={base64url}'], {
    formula: '<sanity-webhook-signature t=>.<body>',
  }),
  family('2b Knock', '{ms}.{body}', ['x-knock-signature: t={ms},s={base64}'], {
    formula: '<x-knock-signature t=>.<body>',
  }),
  family('2c Buildkite', '{s}.{body}', ['X-Buildkite-Signature: timestamp={s},signature={hex}'], {
    formula: '<X-Buildkite-Signature timestamp=>.<body>',
  }),
  family('2c Cloudflare, hex-looking secret', '{s}.{body}', ['Webhook-Signature: time={s},sig1={hex}'], {
    secret: hexSecret,
    formula: '<Webhook-Signature time=>.<body>',
  }),
  family('2c Recurly', '{ms}.{body}', ['recurly-signature: {ms},{old},{hex}'], {
    formula: '<recurly-signature first entry>.<body>',
    template: '{timestamp},{signature}',
  }),
  family('2e parted by colons', 'v1:{s}:{body}', ['X-Signature: v1:{s}:{hex}'], {
    formula: 'v1:<X-Signature v1:>:<body>',
    template: 'v1:{timestamp}:{signature}',
  }),
  family('2e parted by a dot', '{ms}.{body}', ['X-Signature: {ms}.{hex}'], {
    formula: '<X-Signature first entry>.<body>',
    template: '{timestamp}.{signature}',
  }),
  family('2e parted by a hyphen', '{s}.{body}', ['X-Signature: {s}-{hex}'], {
    formula: '<X-Signature first entry>.<body>',
    template: '{timestamp}-{signature}',
  }),
  family('2f JSON in a header', '{s}.{body}', ['X-Signature: {"timestamp":{s},"signature":"{hex}"}'], {
    formula: '<X-Signature "timestamp":>.<body>',
  }),
  family('2f JSON in a header, texts', '{s}.{body}', ['X-Signature: {"v1":"{hex}","t":"{s}"}'], {
    formula: '<X-Signature "t":">.<body>',
  }),
  family('2d Lob', '{ms}.{body}', ['Lob-Signature: {hex}', 'Lob-Signature-Timestamp: {ms}'], {
    formula: '<Lob-Signature-Timestamp>.<body>',
  }),
];
