"""Verifies webhook deliveries by a scheme that `npm run signature` or a run has printed.

Needs nothing but Python 3.9 or later: copy it beside the scheme.
"""
import base64
import hashlib
import hmac
import json
import re
import time
from datetime import datetime
from email.utils import parsedate_to_datetime
from urllib.parse import unquote, urlsplit


class _Lacking(Exception):
    pass


def verify_webhook(scheme, request, secret, max_age_seconds=300):
    """True if the request is signed by the scheme with the secret.

    request has "method", "url" (path and query as received), "registeredUrl" (the webhook's URL as it was registered),
    "headers" (a dict, or a list of pairs) and "body": the bytes as they arrived, before anything parses them.
    """
    try:
        content, signatures = _KINDS[scheme["kind"]](scheme, request)
        mac = hmac.new(_key(scheme["key"], secret), content, hashlib.sha256).digest()
        if not any([hmac.compare_digest(mac, one) for one in signatures]):
            return False
        return "time" not in scheme or abs(time.time() - _time(scheme["time"], request)) <= max_age_seconds
    except (_Lacking, ValueError, TypeError, LookupError):
        return False


def _key(form, secret):
    rest = secret[len(form["strip"]):]
    if not secret.startswith(form["strip"]) or not rest:
        raise _Lacking
    return {
        "text": lambda: rest.encode(),
        "base64": lambda: _unbase64(rest),
        "hex": lambda: bytes.fromhex(rest),
    }[form["decode"]]()


def _parts(scheme, request):
    content = scheme["joiner"].encode().join(_piece(part, request) for part in scheme["parts"])
    texts = _texts({**scheme["signature"], "label": None}, request)
    return content, [one for text in texts for one in _decode_all(text, scheme["encoding"])]


def _jws(scheme, request):
    """A JWS (RFC 7515) with HS256; a claim is the SHA-256 of the body."""
    for text in _texts(scheme["signature"], request):
        found = re.search(r"(?<![\w-])([\w-]+)\.([\w-]+)\.([\w-]+)", text, re.ASCII)
        if found and json.loads(_unbase64(found[1])).get("alg") == "HS256":
            claim = scheme.get("claim")
            claims = json.loads(_unbase64(found[2]))
            if claim and _pick(claims, claim).rstrip("=") != _hash(request["body"], scheme["encoding"]).rstrip("="):
                raise _Lacking
            return f"{found[1]}.{found[2]}".encode(), [_unbase64(found[3])]
    raise _Lacking


def _rfc9421(scheme, request):
    """HTTP message signatures (RFC 9421); Content-Digest (RFC 9530) is the SHA-256 or SHA-512 of the body."""
    label = re.escape(scheme["label"])
    found = re.search(rf"(?:^|, *){label}=((\([^)]{{0,1000}}\))[^,]*)", ", ".join(_values("signature-input", request)))
    components = re.findall(r'"([^"]+)"', found[2])
    shown = ", ".join(_values("content-digest", request))
    fits = any(f":{_hash(request['body'], 'base64', name)}:" in shown for name in ("sha256", "sha512"))
    if scheme["digest"] and not (fits and "content-digest" in components):
        raise _Lacking
    lines = [f'"{name}": {_component(name, request)}' for name in components]
    signatures = re.findall(rf"(?:^|, *){label}=:([^:]+):", ", ".join(_values("signature", request)))
    content = "\n".join([*lines, f'"@signature-params": {found[1]}'])
    return content.encode(), [_unbase64(one) for one in signatures]


_KINDS = {"parts": _parts, "jws": _jws, "rfc9421": _rfc9421}


def _piece(part, request):
    source = part["from"]
    if source == "body":
        return _hash(request["body"], part["hash"]).encode() if "hash" in part else request["body"]
    if source == "signed-headers":
        names = _values(part["name"], request)[0].split(",")
        return ";".join(f"{name}:{_values(name, request)[0]}" for name in names).encode()
    plain = {
        "text": lambda: part["text"],
        "method": lambda: request["method"],
        "url": lambda: request["registeredUrl"],
        "target": lambda: request["url"],
    }
    return (plain[source]() if source in plain else _texts(part, request)[0]).encode()


def _component(name, request):
    url = urlsplit(request["registeredUrl"])
    path, _, query = request["url"].partition("?")
    derived = {
        "@method": request["method"],
        "@target-uri": request["registeredUrl"],
        "@authority": url.netloc,
        "@path": path,
        "@query": f"?{query}",
        "@request-target": request["url"],
        "@scheme": url.scheme,
    }
    return derived[name] if name in derived else ", ".join(_values(name, request) or [_lack()])


def _lack():
    raise _Lacking


def _values(name, request):
    headers = request["headers"]
    lines = headers.items() if hasattr(headers, "items") else headers
    return [value for key, value in lines if key.lower() == name.lower()]


def _texts(place, request):
    """Whole values, what stands behind a label such as t=, or the first entry (an empty label)."""
    if place["from"] == "query":
        pairs = [pair.partition("=") for pair in re.split("[?&]", request["url"])]
        return [unquote(value) for name, _, value in pairs if name == place["name"]]
    if place["from"] == "field":
        if place["name"] == "":
            return [request["body"].decode()]
        value = _pick(json.loads(request["body"]), place["name"])
        return [value if isinstance(value, str) else json.dumps(value)]
    values, label = _values(place["name"], request), place.get("label")
    if label is None:
        return values
    entry = r"(?:^|[\s,;&])" + re.escape(label) if label else "^"
    return [text for value in values for text in re.findall(entry + r'"?([^\s,;&"]+)', value)]


_RUNS = {
    "hex": [r"(?<![0-9A-Fa-f])[0-9A-Fa-f]{64}(?![0-9A-Fa-f])"],
    "base64": [
        r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43}=?(?![A-Za-z0-9+/=])",
        r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}=?(?![A-Za-z0-9_=-])",
    ],
    "base64-hex": [r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{86}(?:==)?(?![A-Za-z0-9+/=])"],
}


def _decode_all(text, encoding):
    """All values of 32 bytes in a text: a header may hold several signatures, and one that fits is enough."""
    patterns = _RUNS["base64" if encoding == "base64url" else encoding]
    runs = [run for pattern in patterns for run in re.findall(pattern, text)]
    if encoding == "hex":
        return [bytes.fromhex(run) for run in runs]
    decoded = [_unbase64(run) for run in runs]
    return [bytes.fromhex(one.decode()) for one in decoded] if encoding == "base64-hex" else decoded


def _time(place, request):
    text, unit = _texts(place, request)[0], place["unit"]
    if unit in ("s", "ms"):
        return float(text) / (1000 if unit == "ms" else 1)
    if unit == "http":
        return parsedate_to_datetime(text).timestamp()
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def _hash(data, encoding, name="sha256"):
    digest = hashlib.new(name, data)
    if encoding == "hex":
        return digest.hexdigest()
    text = base64.b64encode(digest.digest()).decode()
    return text if encoding == "base64" else text.replace("+", "-").replace("/", "_").rstrip("=")


def _pick(value, pointer):
    for name in pointer.split("/")[1:]:
        name = name.replace("~1", "/").replace("~0", "~")
        value = value[int(name) if isinstance(value, list) else name]
    return value


def _unbase64(text):
    return base64.b64decode(text.rstrip("=").replace("-", "+").replace("_", "/") + "=" * (-len(text.rstrip("=")) % 4))
