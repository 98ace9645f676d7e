import { pointerNames } from '../../../common/json.ts';
import type { JwsCover, Scheme } from '../scheme.ts';

/** Python code that decodes base64 in either alphabet, padded or not. */
export const decodeBase64 = (text: string): string =>
  `base64.urlsafe_b64decode(${text}.rstrip("=").translate({43: 45, 47: 95}) + "=" * (-len(${text}.rstrip("=")) % 4))`;

const hashes = {
  hex: 'hashlib.sha256(raw_body).hexdigest()',
  base64: 'base64.b64encode(hashlib.sha256(raw_body).digest()).decode()',
  base64url: 'base64.urlsafe_b64encode(hashlib.sha256(raw_body).digest()).decode().rstrip("=")',
} as const;

/** The lines that verify a JWS. `source` is the code that reads it. */
export function jwsPython(covers: JwsCover, source: string): string[] {
  const claim =
    covers.by === 'hash' || covers.by === 'claim'
      ? pointerNames(covers.claim)
          .map((name) => `[${JSON.stringify(name)}]`)
          .join('')
      : '';
  const ending: Readonly<Record<JwsCover['by'], string>> = {
    hash: `return claims${claim} == ${hashes[covers.by === 'hash' ? covers.encoding : 'hex']}`,
    claim: `return claims${claim} == json.loads(raw_body)`,
    detached: 'return True',
    place: 'return True',
    nothing: 'return False',
  };
  return [
    `jws = re.fullmatch(r"(?:Bearer\\s+)?([\\w-]+)\\.([\\w-]*)\\.([\\w-]+)", (${source} or "").strip())`,
    'if jws is None:',
    '    return False',
    `expected = hmac.new(key, jws[1].encode() + b"." + ${secondPart(covers)}, hashlib.sha256).digest()`,
    `if not hmac.compare_digest(${decodeBase64('jws[3]')}, expected):`,
    '    return False',
    `if json.loads(${decodeBase64('jws[1]')})["alg"] != "HS256":`,
    '    return False',
    ...(covers.by === 'detached'
      ? []
      : [`claims = json.loads(${decodeBase64('jws[2]')})`, 'if claims.get("exp", now) < now:', '    return False']),
    ending[covers.by],
  ];
}

/** The code for the second part of a JWS; in a detached one it is the body. */
function secondPart(covers: JwsCover): string {
  if (covers.by !== 'detached') {
    return 'jws[2].encode()';
  }
  return covers.encoded ? 'base64.urlsafe_b64encode(raw_body).rstrip(b"=")' : 'raw_body';
}

/** The lines that set `content` and `given` for an RFC 9421 signature with Content-Digest. */
export function messageSignaturePython(label: string): string[] {
  const name = label.replace(/[.*]/g, String.raw`\$&`);
  return [
    `given_input = re.search(r'(?:^|,\\s*)${name}=(\\(([^()]*)\\)[^,]*)', headers.get("signature-input", ""))`,
    `text = re.search(r'(?:^|,\\s*)${name}=:([A-Za-z0-9+/]+=*):', headers.get("signature", ""))`,
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

/** The lines that set `content` for a signature by the draft before RFC 9421. */
export function httpSignaturePython({ signature: { source } }: Scheme): string[] {
  const name = source.in === 'header' ? source.name.toLowerCase() : '';
  return [
    `parameters = headers.get(${JSON.stringify(name)}, "")`,
    `names = (re.search(r'headers="([^"]*)"', parameters) or [None, "date"])[1].lower().split(" ")`,
    'digest = hashlib.sha256(raw_body).digest()',
    'if not any(base64.b64encode(digest).decode() in headers.get(name, "") or digest.hex() in headers.get(name, "") for name in names):',
    '    return False',
    'if "date" in names and not abs(now - email.utils.parsedate_to_datetime(headers["date"]).timestamp()) <= 300:',
    '    return False',
    `parameter = lambda name: (re.search(r'(?:^|[\\s,])' + re.escape(name) + r'="?([^",]*)"?', parameters) or [None, ""])[1]`,
    'values = {"(request-target)": f"{method.lower()} {path}", "(created)": parameter("created"), "(expires)": parameter("expires")}',
    'content = "\\n".join(f"{name}: {values.get(name, headers.get(name))}" for name in names).encode()',
  ];
}
