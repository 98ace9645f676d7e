import { type Behaviour, bytesOf, changed, inHeader, saying, under, withFields } from '../behaviour.ts';

const echoing = (make: (key: string) => unknown): Behaviour =>
  withFields(({ key }) => `"echo":${JSON.stringify(make(key))}`);
const pieces = (key: string, size: number): string[] => key.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
const alternating = (key: string): string =>
  [...key].map((one, index) => (index % 2 === 0 ? one.toUpperCase() : one.toLowerCase())).join('');

/** The request's key in places where something else is expected, and in parts. */
export const echoesAs: Readonly<Record<string, Behaviour>> = {
  'as every id': under(/^id$/, (key) => key),
  'as every id, behind a prefix': under(/^id$/, (key) => `key_${key.slice(9)}`),
  'as the error code': under(/^code$/, (key) => key),
  'as the trace id': under(/^trace_id$/, (key) => key),
  'as the timestamp': under(/^timestamp$/, (key) => `2026-01-31T08:00:00.000Z${key}`),
  'as every name': under(/^name$/, (key) => `${key} ${key}`),
  'as the prefix of secrets': under(/^(prefix|key|secret)$/, (key) => key.slice(0, -4)),
  'as the next page': echoing((key) => ({ next: `/api/v1/developer/keys?api_key=${key}&page=2` })),
  'as the name of a field': echoing((key) => ({ [key]: { [key.slice(9)]: true } })),
  'as a JSON pointer': echoing((key) => `/${key.replaceAll('_', '~1')}`),
  'in pieces of nine, in a list': echoing((key) => pieces(key, 9)),
  'in pieces of twelve, in fields': echoing((key) =>
    Object.fromEntries(pieces(key, 12).map((part, at) => [`p${at}`, part])),
  ),
  'in alternating case': echoing(alternating),
  'with an ellipsis in the middle': echoing((key) => `${key.slice(0, 20)}...${key.slice(-10)}`),
  'in JSON, percent encoded, in base64': echoing((key) => btoa(encodeURIComponent(JSON.stringify({ key })))),
  'in base64 for URLs, without padding': echoing((key) => Buffer.from(`?>${key}`).toString('base64url')),
  'in base64 of its pieces': echoing((key) => pieces(key, 13).map((part) => btoa(part))),
  'in a curl command': echoing((key) => `curl -H 'X-API-Key: ${key}' "https://x.invalid?a=$(id)"`),
  'as the limit': inHeader('X-RateLimit-Limit', (key) => key),
  'as Retry-After': inHeader('Retry-After', (key) => key.slice(9)),
  'as a parameter of Content-Type': inHeader('Content-Type', (key) => `application/json; boundary=${key}`),
  'as the Content-Type': inHeader('Content-Type', (key) => `${key}/json`),
  'as the Content-Encoding': inHeader('Content-Encoding', (key) => key),
  'as the ETag': inHeader('ETag', (key) => `W/"${key}"`),
  'as the host to go to': inHeader('Location', (key) => `https://${key.replaceAll('_', '-')}.example.invalid/`),
  'in Link': inHeader('Link', (key) => `</api/v1/developer/keys?cursor=${key}>; rel="next"`),
  'in a header folded amid it': inHeader('X-Echo', (key) => `${key.slice(0, 21)}\r\n ${key.slice(21)}`),
  'in the reason of the status': changed((_, { key }) => ({ line: `HTTP/1.1 400 ${key}` })),
  'in a hint before the answer': (socket, good, asked) => {
    socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </?api_key=${asked.key}>\r\n\r\n`);
    socket.write(bytesOf(good, good.body));
  },
  'in trailers': (socket, _, asked) => {
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2;${asked.key}\r\n{}\r\n0\r\nX-Key: ${asked.key}\r\n\r\n`,
    );
  },
  'as the whole body': saying((_, { key }) => key),
  'as a body in UTF-16': saying((_, { key }) => Buffer.from(JSON.stringify({ key }), 'utf16le')),
  'in a body that is not UTF-8': saying((_, { key }) =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(key), Buffer.from([0xc0])]),
  ),
};
