import { pointerNames } from '../../../common/json.ts';
import type { BodyForm } from '../read/body-forms.ts';
import { valuePattern } from '../read/header-values.ts';
import type { KeyForm } from '../read/keys.ts';
import type { TimeUnit } from '../read/times.ts';
import type { UrlForm } from '../read/url-forms.ts';
import type { Encoding, Part, Scheme, Source } from '../scheme.ts';
import { hashForm, nameOf, signaturePattern, sourcesOf } from './patterns.ts';
import { decodeBase64, httpSignaturePython, jwsPython, messageSignaturePython } from './python-envelopes.ts';

/** The verifying function for Python 3.11 and later. */
export function pythonSnippet(scheme: Scheme): string {
  return `import base64, binascii, email.utils, gzip, hashlib, hmac, json, re, time, urllib.parse
from datetime import datetime, timezone


def verify_webhook(raw_body, headers, secret, method="POST", path="/", registered_url="", now=None):
    """Return True if the request is signed with the secret. raw_body: the bytes as received, before any JSON parser.
    headers: names in lower case. path: path and query as received. registered_url: the webhook's URL as registered."""
    now = time.time() if now is None else now
    try:
        return _verify(raw_body, headers, secret, method, path, registered_url, now)
    except (ValueError, TypeError, KeyError, binascii.Error):
        return False


def _verify(raw_body, headers, secret, method, path, registered_url, now):
${[...pythonKey(scheme), ...bodyOf(scheme)].map((line) => `    ${line}`).join('\n')}
`;
}

const comparison = [
  'expected = hmac.new(key, content, hashlib.sha256).digest()',
  'return any(hmac.compare_digest(one, expected) for one in given)',
];

function bodyOf(scheme: Scheme): string[] {
  switch (scheme.content.kind) {
    case 'jws':
      return jwsPython(scheme.content.covers, read(scheme.signature.source));
    case 'message-signature':
      return [...messageSignaturePython(scheme.content.label), ...comparison];
    case 'http-signature':
      return [...httpSignaturePython(scheme), ...givenSignatures(scheme), ...comparison];
    default:
      return [...values(scheme), ...freshness(scheme), ...content(scheme), ...givenSignatures(scheme), ...comparison];
  }
}

const values = (scheme: Scheme): string[] =>
  sourcesOf(scheme).flatMap((source) => {
    const name = nameOf(scheme, source);
    return [`${name} = ${read(source)}`, `if ${name} is None:`, '    return False'];
  });

function read(source: Source): string {
  if (source.in === 'query') {
    return `urllib.parse.parse_qs(urllib.parse.urlsplit(path).query).get(${JSON.stringify(source.name)}, [None])[0]`;
  }
  if (source.in === 'body') {
    const names = pointerNames(source.pointer);
    return names.length === 0
      ? 'raw_body.decode()'
      : `str(json.loads(raw_body)${names.map((name) => `[${JSON.stringify(name)}]`).join('')})`;
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
  const moments: Readonly<Record<TimeUnit, string>> = {
    s: `float(${name})`,
    ms: `float(${name}) / 1e3`,
    us: `float(${name}) / 1e6`,
    ns: `float(${name}) / 1e9`,
    's-float': `float(${name})`,
    's-hex': `int(${name}, 16)`,
    'iso-8601': `datetime.fromisoformat(${name}).timestamp()`,
    'iso-basic': `datetime.fromisoformat(${name}).timestamp()`,
    'http-date': `email.utils.parsedate_to_datetime(${name}).timestamp()`,
    'rfc-2822': `email.utils.parsedate_to_datetime(${name}).timestamp()`,
  };
  return [`moment = ${moments[scheme.timestamp.unit]}`, 'if not abs(now - moment) <= 300:', '    return False'];
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

const urls: Readonly<Record<UrlForm, string>> = {
  registered: 'registered_url',
  normalised: 'registered_url',
  'without-query': 'registered_url.split("?")[0]',
  'as-called': '("%s://%s" % urllib.parse.urlsplit(registered_url)[:2] + path)',
  'path-query': 'path',
  path: 'path.split("?")[0]',
  query: '(path.split("?") + [""])[1]',
  host: 'urllib.parse.urlsplit(registered_url).netloc',
  hostname: 'urllib.parse.urlsplit(registered_url).hostname',
};

const spellings: Partial<Record<TimeUnit, string>> = {
  s: 'str(int(moment))',
  ms: 'str(round(moment * 1000))',
  'iso-8601': 'datetime.fromtimestamp(moment, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")',
};

function piece(part: Part, scheme: Scheme): string {
  switch (part.kind) {
    case 'body':
      return bodyPiece(part.form);
    case 'literal':
      return `${JSON.stringify(part.text)}.encode()`;
    case 'method':
      return `method${part.lower === true ? '.lower()' : ''}.encode()`;
    case 'url':
      return `${urls[part.form]}.encode()`;
    case 'value':
      return `${(part.as && spellings[part.as]) ?? nameOf(scheme, part.source)}.encode()`;
  }
}

function bodyPiece(form: BodyForm): string {
  const hash = hashForm(form);
  const bytes = hash === undefined ? 'raw_body' : `hashlib.${hash.algorithm}(raw_body).digest()`;
  const encoding = hash?.encoding ?? form;
  if (encoding === 'hex') {
    return `${bytes}.hex()${hash?.upper === true ? '.upper()' : ''}.encode()`;
  }
  if (encoding === 'base64') {
    return `base64.b64encode(${bytes})`;
  }
  if (encoding === 'base64url') {
    return `base64.urlsafe_b64encode(${bytes}).rstrip(b"=")`;
  }
  if (form === 'sorted-fields') {
    const fields = 'urllib.parse.parse_qsl(raw_body.decode(), keep_blank_values=True)';
    return `"".join(map("".join, sorted(${fields}, key=lambda field: field[0]))).encode()`;
  }
  return form === 'decompressed' ? 'gzip.decompress(raw_body)' : 'raw_body';
}

function pythonKey({ key }: Scheme): string[] {
  const rest = key.strip === '' ? 'secret' : `secret[${key.strip.length}:]`;
  const bytes: Readonly<Record<KeyForm['decode'], string>> = {
    utf8: `${rest}.encode()`,
    hex: `bytes.fromhex(${rest})`,
    trimmed: `${rest}.strip().encode()`,
    base64: decodeBase64(rest),
    'sha256-hex': `hashlib.sha256(${rest}.encode()).hexdigest().encode()`,
    sha256: `hashlib.sha256(${rest}.encode()).digest()`,
  };
  return [`key = ${bytes[key.decode]}`];
}

/** The lines that set `given`, the signatures in the delivery. */
function givenSignatures(scheme: Scheme): string[] {
  const { source, groups } = scheme.signature;
  const decode: Readonly<Record<Encoding, string>> = {
    hex: groups === undefined ? 'bytes.fromhex(text)' : `bytes.fromhex(text.replace("${groups.by}", ""))`,
    base64: decodeBase64('text'),
    base64url: decodeBase64('text'),
    'base64-hex': 'bytes.fromhex(base64.b64decode(text).decode())',
  };
  const value = read(source.in === 'header' ? { ...source, label: null } : source);
  return [
    `texts = re.findall(${JSON.stringify(signaturePattern(scheme))}, ${value} or "")`,
    `given = [${decode[scheme.encoding]} for text in texts]`,
  ];
}
