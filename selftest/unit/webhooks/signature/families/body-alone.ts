import { base64Secret, hexSecret } from '../deliveries.ts';
import { type Family, family } from './family.ts';

const fromBase64 = { secret: base64Secret, key: 'base64', bytes: Buffer.from(base64Secret, 'base64') };
const fromHex = { secret: hexSecret, key: 'hex', bytes: Buffer.from(hexSecret, 'hex') };

/** Families that sign only the body (1a to 1i). */
export const bodyAlone: readonly Family[] = [
  family('1a bare hex', '{body}', ['X-Signature: {hex}'], { template: '{signature}' }),
  family('1a upper-case hex', '{body}', ['X-Signature: {HEX}']),
  family(
    '1b GitHub',
    '{body}',
    ['X-GitHub-Delivery: {id}', 'X-Hub-Signature: sha1={sha1}', 'X-Hub-Signature-256: sha256={hex}'],
    { template: 'sha256={signature}' },
  ),
  family('1c PagerDuty', '{body}', ['X-PagerDuty-Signature: v1={old},v1={hex}'], { template: 'v1={signature}' }),
  family('1c EasyPost', '{body}', ['X-Hmac-Signature: hmac-sha256-hex={hex}'], {
    template: 'hmac-sha256-hex={signature}',
  }),
  family('1c Greenhouse', '{body}', ['Signature: sha256 {hex}'], { template: 'sha256 {signature}' }),
  family('1c Outpost', '{body}', ['x-outpost-signature: v0={old},{hex}']),
  family('1d Shopify', '{body}', ['X-Shopify-Hmac-Sha256: {base64}']),
  family(
    '1d DocuSign, base64-looking secret',
    '{body}',
    ['X-DocuSign-Signature-1: {old64}', 'X-DocuSign-Signature-2: {base64}'],
    { secret: base64Secret },
  ),
  family('1d Cronofy', '{body}', ['Cronofy-HMAC-SHA256: {old64},{base64}']),
  family('1e Typeform', '{body}', ['Typeform-Signature: sha256={base64}'], { template: 'sha256={signature}' }),
  family('1f Merge', '{body}', ['X-Merge-Webhook-Signature: {base64url}']),
  family('1g Airtable', '{body}', ['X-Airtable-Content-MAC: hmac-sha256={hex}'], {
    ...fromBase64,
    template: 'hmac-sha256={signature}',
  }),
  family('1g Teams', '{body}', ['Authorization: HMAC {base64}'], { ...fromBase64, template: 'HMAC {signature}' }),
  family('1h Squarespace', '{body}', ['Squarespace-Signature: {hex}'], fromHex),
  family('1h Adyen banking', '{body}', ['HmacSignature: {base64}', 'Protocol: HmacSHA256'], fromHex),
  family('1i behind a service name', '{body}', ['X-Signature: whk_{hex}'], { template: 'whk_{signature}' }),
  family('1i behind 0x', '{body}', ['X-Signature: 0x{hex}'], { template: '0x{signature}' }),
  family('1i base64 behind a service name', '{body}', ['X-Acme-Signature: acme-{base64}'], {
    template: 'acme-{signature}',
  }),
];
