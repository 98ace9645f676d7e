import type { Scheme } from './scheme.ts';
import { decodeBase64 } from './snippet-patterns.ts';

/** The lines that verify a JWS whose claim holds the body's hash. */
export function jwsPython({ content, signature }: Scheme): string[] {
  if (content.kind !== 'jws' || signature.source.in !== 'header') {
    return [];
  }
  const steps = content.claim
    .split('/')
    .slice(1)
    .map((step) => `[${JSON.stringify(step.replaceAll('~1', '/').replaceAll('~0', '~'))}]`);
  const hash = {
    hex: 'hashlib.sha256(raw_body).hexdigest()',
    base64: 'base64.b64encode(hashlib.sha256(raw_body).digest()).decode()',
    base64url: 'base64.urlsafe_b64encode(hashlib.sha256(raw_body).digest()).decode().rstrip("=")',
  } as const;
  return [
    `jws = re.fullmatch(r"(?:Bearer\\s+)?([\\w-]+)\\.([\\w-]+)\\.([\\w-]+)", headers.get(${JSON.stringify(signature.source.name.toLowerCase())}, "").strip())`,
    'if jws is None:',
    '    return False',
    'expected = hmac.new(key, f"{jws[1]}.{jws[2]}".encode(), hashlib.sha256).digest()',
    `if not hmac.compare_digest(${decodeBase64('jws[3]')}, expected):`,
    '    return False',
    `header = json.loads(${decodeBase64('jws[1]')})`,
    `claims = json.loads(${decodeBase64('jws[2]')})`,
    'if header["alg"] != "HS256" or claims.get("exp", now) < now:',
    '    return False',
    `return claims${steps.join('')} == ${hash[content.claimEncoding]}`,
  ];
}

/** The lines that make `content` and `given` of an RFC 9421 signature with Content-Digest. */
export function messageSignaturePython({ content }: Scheme): string[] {
  const label = content.kind === 'message-signature' ? content.label.replace(/[.*]/g, String.raw`\$&`) : '';
  return [
    `given_input = re.search(r'(?:^|,\\s*)${label}=(\\(([^()]*)\\)[^,]*)', headers.get("signature-input", ""))`,
    `text = re.search(r'(?:^|,\\s*)${label}=:([A-Za-z0-9+/]+=*):', headers.get("signature", ""))`,
    'if given_input is None or text is None:',
    '    return False',
    `names = re.findall(r'"([^"]+)"', given_input[2])`,
    `digest = re.search(r'(?:^|,\\s*)sha-256=:([A-Za-z0-9+/]+=*):', headers.get("content-digest", ""))`,
    'if "content-digest" not in names or digest is None or base64.b64decode(digest[1]) != hashlib.sha256(raw_body).digest():',
    '    return False',
    `created = re.search(r';created=(\\d+)', given_input[1])`,
    'if created is not None and not abs(now - int(created[1])) <= 300:',
    '    return False',
    'url = urllib.parse.urlsplit(registered_url)',
    'derived = {"@method": method, "@target-uri": registered_url, "@authority": url.netloc, "@scheme": url.scheme, "@request-target": path,',
    '           "@path": path.split("?")[0], "@query": "?" + (path.split("?") + [""])[1]}',
    `lines = [f'"{name}": {derived.get(name, headers.get(name, "").strip())}' for name in names]`,
    `content = "\\n".join(lines + ['"@signature-params": ' + given_input[1]]).encode()`,
    'given = [base64.b64decode(text[1])]',
  ];
}
