import { pointerNames } from '../../../common/json.ts';
import type { JwsCover, Scheme } from '../scheme.ts';

/** The lines that verify a JWS. `source` is the code that reads it. */
export function jwsNode(covers: JwsCover, source: string): string[] {
  const payload = source.startsWith('payload') ? ["const payload = JSON.parse(rawBody.toString('utf8'));"] : [];
  const claim =
    covers.by === 'hash' || covers.by === 'claim'
      ? pointerNames(covers.claim)
          .map((name) => `?.[${JSON.stringify(name)}]`)
          .join('')
      : '';
  const ending: Readonly<Record<JwsCover['by'], string[]>> = {
    hash: [
      `return claims${claim} === createHash('sha256').update(rawBody).digest(${JSON.stringify(covers.by === 'hash' ? covers.encoding : '')});`,
    ],
    claim: [
      'const sorted = (key, value) => (value?.constructor === Object ? Object.fromEntries(Object.entries(value).sort()) : value);',
      `return JSON.stringify(claims${claim}, sorted) === JSON.stringify(JSON.parse(rawBody.toString('utf8')), sorted);`,
    ],
    detached: ['return true;'],
    place: ['return true;'],
    nothing: ['return false;'],
  };
  return [
    ...payload,
    `const jws = /^(?:Bearer\\s+)?([\\w-]+)\\.([\\w-]*)\\.([\\w-]+)$/.exec((${source} ?? '').trim());`,
    'if (jws === null) return false;',
    `const expected = createHmac('sha256', key).update(\`\${jws[1]}.\`).update(${secondPart(covers)}).digest();`,
    "const given = Buffer.from(jws[3], 'base64url');",
    'if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;',
    "const { alg } = JSON.parse(Buffer.from(jws[1], 'base64url').toString('utf8'));",
    ...(covers.by === 'detached'
      ? ["if (alg !== 'HS256') return false;"]
      : [
          "const claims = JSON.parse(Buffer.from(jws[2], 'base64url').toString('utf8'));",
          "if (alg !== 'HS256' || (typeof claims.exp === 'number' && claims.exp * 1000 < now)) return false;",
        ]),
    ...ending[covers.by],
  ];
}

/** The code for the second part of a JWS; in a detached one it is the body. */
function secondPart(covers: JwsCover): string {
  if (covers.by !== 'detached') {
    return 'jws[2]';
  }
  return covers.encoded ? "rawBody.toString('base64url')" : 'rawBody';
}

/** The lines that set `content` and `signature` for an RFC 9421 signature with Content-Digest. */
export function messageSignatureNode(label: string): string[] {
  const name = label.replace(/[.*]/g, String.raw`\$&`);
  return [
    `const input = /(?:^|,\\s*)${name}=(\\(([^()]*)\\)[^,]*)/.exec(headers['signature-input'] ?? '');`,
    `const text = /(?:^|,\\s*)${name}=:([A-Za-z0-9+/]+=*):/.exec(headers.signature ?? '')?.[1];`,
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

/** The lines that set `content` for a signature by the draft before RFC 9421. */
export function httpSignatureNode({ signature: { source } }: Scheme): string[] {
  const name = source.in === 'header' ? source.name.toLowerCase() : '';
  return [
    `const parameters = headers[${JSON.stringify(name)}] ?? '';`,
    "const names = (/headers=\"([^\"]*)\"/.exec(parameters)?.[1] ?? 'date').toLowerCase().split(' ');",
    "const hash = createHash('sha256').update(rawBody).digest();",
    "const covered = names.some((name) => ['base64', 'hex'].some((form) => (headers[name] ?? '').includes(hash.toString(form))));",
    'if (!covered) return false;',
    "if (names.includes('date') && !(Math.abs(now - Date.parse(headers.date)) <= 300000)) return false;",
    'const parameter = (name) => new RegExp(`(?:^|[\\\\s,])${name.slice(1, -1)}="?([^",]*)"?`).exec(parameters)?.[1];',
    "const valueOf = (name) => (name === '(request-target)' ? `${method.toLowerCase()} ${path}` : name.startsWith('(') ? parameter(name) : headers[name]);",
    "const content = names.map((name) => `${name}: ${valueOf(name)}`).join('\\n');",
  ];
}
