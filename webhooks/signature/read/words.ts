import type { Delivery } from '../delivery.ts';
import type { Token } from './tokens.ts';

const mostWords = 48;

/** The names before tokens (`v1` in `v1=`), and the two most common ones. */
export function labelsOf(tokens: readonly Token[]): string[] {
  const names = tokens.flatMap(({ source }) =>
    source.in === 'header' && source.label ? [source.label.replace(/[^A-Za-z0-9]+$/, '')] : [],
  );
  return [...new Set([...names.filter((name) => /^[A-Za-z0-9-]{1,12}$/.test(name)).slice(0, 4), 'v0', 'v1'])];
}

/** Words that services are known to put before the body. */
const usual = [
  'POST',
  'post',
  'hmacsha256',
  'sha256',
  'HMAC-SHA256',
  'hmac-sha256',
  'v1',
  'v0',
  'v2',
  'webhook',
  'payload',
  'body',
];

/** Words that a sender may put before or after the body: usual ones, and those in the delivery. */
export function wordsOf(delivery: Delivery, tokens: readonly Token[]): string[] {
  const host = URL.canParse(delivery.registeredUrl) ? new URL(delivery.registeredUrl).hostname : '';
  const agent = delivery.headers.find(([name]) => /^user-agent$/i.test(name))?.[1].slice(0, 200) ?? '';
  const names = delivery.headers
    .map(([name]) => name)
    .filter((name) => /^x-/i.test(name) || tokens.some(({ source }) => source.in === 'header' && source.name === name));
  const shown = [
    ...labelsOf(tokens),
    agent,
    ...agent.split(/[\s/;()]+/),
    ...names.flatMap((name) => [name, ...name.replace(/^x-/i, '').split('-')]),
    ...host.split('.'),
    ...(delivery.url.split('?')[0] ?? '').split('/'),
  ].filter((word) => word.length >= 2 && word.length <= 40);
  return [...new Set([...usual, ...shown.flatMap((word) => [word, word.toLowerCase()])])].slice(0, mostWords);
}
