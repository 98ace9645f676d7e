import type { Scheme } from './scheme.ts';

/** The verifying function for a JWS whose claim holds the body's hash. */
export function jwsNode(scheme: Scheme, key: readonly string[]): string {
  const { content, signature } = scheme;
  if (content.kind !== 'jws' || signature.source.in !== 'header') {
    return '';
  }
  const steps = content.claim
    .split('/')
    .slice(1)
    .map((step) => `?.[${JSON.stringify(step.replaceAll('~1', '/').replaceAll('~0', '~'))}]`);
  return `import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** True where the header's JWS is signed with the secret and its claim is the hash of rawBody (Buffer, as received). */
export function verifyWebhook({ headers, rawBody, secret, now = Date.now() }) {
  const jws = /^(?:Bearer\\s+)?([\\w-]+)\\.([\\w-]+)\\.([\\w-]+)$/.exec((headers[${JSON.stringify(signature.source.name.toLowerCase())}] ?? '').trim());
  if (jws === null) return false;
  ${key.join('\n  ')}
  const expected = createHmac('sha256', key).update(\`\${jws[1]}.\${jws[2]}\`).digest();
  const given = Buffer.from(jws[3], 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  const { alg } = JSON.parse(Buffer.from(jws[1], 'base64url').toString('utf8'));
  const claims = JSON.parse(Buffer.from(jws[2], 'base64url').toString('utf8'));
  if (alg !== 'HS256' || (typeof claims.exp === 'number' && claims.exp * 1000 < now)) return false;
  return claims${steps.join('')} === createHash('sha256').update(rawBody).digest(${JSON.stringify(content.claimEncoding)});
}
`;
}

/** The lines that make \`content\` and \`signature\` of an RFC 9421 signature with Content-Digest. */
export function messageSignatureNode(label: string): string[] {
  return [
    `const input = /(?:^|,\\s*)${label.replace(/[.*]/g, String.raw`\$&`)}=(\\(([^()]*)\\)[^,]*)/.exec(headers['signature-input'] ?? '');`,
    `const text = /(?:^|,\\s*)${label.replace(/[.*]/g, String.raw`\$&`)}=:([A-Za-z0-9+/]+=*):/.exec(headers.signature ?? '')?.[1];`,
    'if (input === null || text === undefined) return false;',
    'const names = [...input[2].matchAll(/"([^"]+)"/g)].map((match) => match[1]);',
    "const digest = /(?:^|,\\s*)sha-256=:([A-Za-z0-9+/]+=*):/.exec(headers['content-digest'] ?? '')?.[1];",
    "if (!names.includes('content-digest') || digest !== createHash('sha256').update(rawBody).digest('base64')) return false;",
    'const created = /;created=(\\d+)/.exec(input[1])?.[1];',
    'if (created !== undefined && !(Math.abs(now - Number(created) * 1000) <= 300000)) return false;',
    'const url = new URL(registeredUrl);',
    "const derived = { '@method': method, '@target-uri': url.href, '@authority': url.host, '@scheme': url.protocol.slice(0, -1), '@request-target': path,",
    "  '@path': path.split('?')[0], '@query': `?${path.split('?')[1] ?? ''}` };",
    'const lines = names.map((name) => `"${name}": ${derived[name] ?? (headers[name] ?? \'\').trim()}`);',
    'const content = [...lines, `"@signature-params": ${input[1]}`].join(\'\\n\');',
    "const signature = Buffer.from(text, 'base64');",
  ];
}
