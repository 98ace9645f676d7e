import type { BodyForm, Part, Scheme, Source, TimeUnit } from './scheme.ts';
import { decodeBase64, nameOf, signaturePattern, sourcesOf, valuePattern } from './snippet-patterns.ts';
import { jwsPython, messageSignaturePython } from './snippet-python-envelopes.ts';

const indent = (lines: readonly string[]): string => lines.map((line) => `    ${line}`).join('\n');

/** The verifying function for Python 3.11 and later. */
export function pythonSnippet(scheme: Scheme): string {
  return `import base64, binascii, email.utils, gzip, hashlib, hmac, json, re, time, urllib.parse
from datetime import datetime


def verify_webhook(raw_body, headers, secret, method="POST", path="/", registered_url="", now=None):
    """True where the request is signed with the secret. raw_body: the bytes as received, before any JSON parser.
    headers: names in lower case. path: path and query as received. registered_url: the webhook's URL as registered."""
    now = time.time() if now is None else now
    try:
        return _verify(raw_body, headers, secret, method, path, registered_url, now)
    except (ValueError, TypeError, KeyError, binascii.Error):
        return False


def _verify(raw_body, headers, secret, method, path, registered_url, now):
${indent([...pythonKey(scheme), ...bodyOf(scheme)])}
`;
}

function bodyOf(scheme: Scheme): string[] {
  if (scheme.content.kind === 'jws') {
    return jwsPython(scheme);
  }
  const envelope = scheme.content.kind === 'message-signature';
  const made = envelope
    ? messageSignaturePython(scheme)
    : [...values(scheme), ...freshness(scheme), ...content(scheme), ...given(scheme)];
  return [
    ...made,
    'expected = hmac.new(key, content, hashlib.sha256).digest()',
    'return any(hmac.compare_digest(one, expected) for one in given)',
  ];
}

function values(scheme: Scheme): string[] {
  return sourcesOf(scheme).flatMap((source) => {
    const name = nameOf(scheme, source);
    return [`${name} = ${read(source)}`, `if ${name} is None:`, '    return False'];
  });
}

function read(source: Source): string {
  if (source.in !== 'header') {
    return `urllib.parse.parse_qs(urllib.parse.urlsplit(path).query).get(${JSON.stringify(source.in === 'query' ? source.name : '')}, [None])[0]`;
  }
  const header = `headers.get(${JSON.stringify(source.name.toLowerCase())})`;
  return source.label === null
    ? header
    : `(re.search(${JSON.stringify(valuePattern(source.label))}, ${header} or "") or [None, None])[1]`;
}

function freshness(scheme: Scheme): string[] {
  if (scheme.timestamp?.covered !== true) {
    return [];
  }
  const name = nameOf(scheme, scheme.timestamp.source);
  const moment: Readonly<Record<TimeUnit, string>> = {
    s: `float(${name})`,
    ms: `float(${name}) / 1e3`,
    us: `float(${name}) / 1e6`,
    ns: `float(${name}) / 1e9`,
    'iso-8601': `datetime.fromisoformat(${name}).timestamp()`,
    'http-date': `email.utils.parsedate_to_datetime(${name}).timestamp()`,
  };
  return [`if not abs(now - ${moment[scheme.timestamp.unit]}) <= 300:`, '    return False'];
}

function content(scheme: Scheme): string[] {
  if (scheme.content.kind === 'canonical-request') {
    return [
      `names = [name for name in re.split(r"[,; ]+", headers.get(${JSON.stringify(scheme.content.signedHeaders.toLowerCase())}, "")) if name]`,
      'pairs = ";".join(f"{name.lower()}:{headers.get(name.lower(), \'\').strip()}" for name in names)',
      'content = f"{method}\\n{path}\\n{pairs}\\n".encode() + raw_body',
    ];
  }
  const parts = scheme.content.kind === 'parts' ? scheme.content.parts : [];
  return [`content = ${parts.map((part) => piece(part, scheme)).join(' + ')}`];
}

function piece(part: Part, scheme: Scheme): string {
  if (part.kind === 'body') {
    return bodyPiece(part.form);
  }
  if (part.kind === 'literal') {
    return `${JSON.stringify(part.text)}.encode()`;
  }
  if (part.kind === 'value') {
    return `${nameOf(scheme, part.source)}.encode()`;
  }
  if (part.kind === 'method') {
    return 'method.encode()';
  }
  const urls = {
    registered: 'registered_url',
    normalised: 'registered_url',
    'without-query': 'registered_url.split("?")[0]',
    path: 'path.split("?")[0]',
    'path-query': 'path',
  } as const;
  return `${urls[part.form]}.encode()`;
}

function bodyPiece(form: BodyForm): string {
  if (form === 'sha256-hex') {
    return 'hashlib.sha256(raw_body).hexdigest().encode()';
  }
  if (form === 'sha256-base64') {
    return 'base64.b64encode(hashlib.sha256(raw_body).digest())';
  }
  if (form === 'base64') {
    return 'base64.b64encode(raw_body)';
  }
  return form === 'decompressed' ? 'gzip.decompress(raw_body)' : 'raw_body';
}

function pythonKey({ key }: Scheme): string[] {
  const rest = key.strip === '' ? 'secret' : `secret[${key.strip.length}:]`;
  const bytes = {
    utf8: `${rest}.encode()`,
    hex: `bytes.fromhex(${rest})`,
    trimmed: `${rest}.strip().encode()`,
    base64: decodeBase64(rest),
    'sha256-hex': `hashlib.sha256(${rest}.encode()).hexdigest().encode()`,
    sha256: `hashlib.sha256(${rest}.encode()).digest()`,
  } as const;
  return [`key = ${bytes[key.decode]}`];
}

function given(scheme: Scheme): string[] {
  const { source } = scheme.signature;
  const decode = {
    hex: 'bytes.fromhex(text)',
    base64: decodeBase64('text'),
    base64url: decodeBase64('text'),
    'base64-hex': 'bytes.fromhex(base64.b64decode(text).decode())',
  } as const;
  const value =
    source.in === 'header' ? `headers.get(${JSON.stringify(source.name.toLowerCase())}, "")` : `${read(source)} or ""`;
  return [
    `texts = re.findall(${JSON.stringify(signaturePattern(scheme))}, ${value})`,
    `given = [${decode[scheme.encoding]} for text in texts]`,
  ];
}
