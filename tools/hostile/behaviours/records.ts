import { type Asked, type Behaviour, bytesOf, headed, saying } from '../behaviour.ts';

/** Every id that the answer shows, made anew. */
const ids = (make: (id: string, asked: Asked) => unknown): Behaviour =>
  saying(({ body }, asked) =>
    body.replace(/"id":"([^"]*)"/g, (_, id: string) => `"id":${JSON.stringify(make(id, asked))}`),
  );
/** The good body with a field beside its own. */
const beside = (make: (asked: Asked) => unknown): Behaviour =>
  saying(({ body }, asked) => {
    const more = JSON.stringify(make(asked)).slice(1, -1);
    return body.startsWith('{"') ? `{${more},${body.slice(1)}` : `{${more}}`;
  });
const linked =
  (make: (asked: Asked) => string): Behaviour =>
  (socket, good, asked) =>
    headed(['Link', make(asked)])(socket, good, asked);
/** 201 with nothing but a Location. */
const createdAt =
  (make: (asked: Asked) => string): Behaviour =>
  (socket, good, asked) => {
    const location = ['Location', make(asked)] as const;
    const isCreated = asked.method === 'POST';
    const headers = good.headers.filter(([name]) => !/^content-type$/i.test(name));
    socket.write(isCreated ? bytesOf({ status: 201, headers: [...headers, location] }, '') : bytesOf(good, good.body));
  };
const path = ({ url }: Asked): string => url.split('?')[0] ?? '';

/** Ids, places and further pages that lead somewhere else. */
export const records: Readonly<Record<string, Behaviour>> = {
  'ids that are URLs of another host': ids((id, { elsewhere }) => `${elsewhere}/${id}`),
  'ids that begin with two slashes': ids((id, { elsewhere }) => `${elsewhere.replace('http:', '')}/${id}`),
  'ids that leave their collection': ids((id) => `../webhooks/${id}`),
  'ids that leave it, encoded': ids((id) => `..%2F..%2Fwebhooks%2F${id}`),
  'ids with backslashes': ids((id) => `..\\..\\${id}`),
  'ids that end the URL': ids((id) => `${id}#`),
  'ids with a user and a host': ids((id, { elsewhere }) => `@${new URL(elsewhere).host}/${id}`),
  'ids that are names of methods': ids(() => '__proto__'),
  'ids of control characters': ids(() => '\u0000\u0001\u001b[2J\u007f'),
  'ids of half a surrogate': ids(() => '\ud83d'),
  'ids of blanks and line ends': ids(() => ' \t\r\n '),
  'ids that are commands': ids(() => "'; rm -rf . #$(id)`id`"),
  'ids that are percent signs': ids(() => '%%%'),
  'ids in emoji': ids(() => '\u{1f469}\u200d\u{1f680}'),
  'ids that are true, and null': ids((id) => (id.length % 2 === 0 ? true : null)),
  'ids that are numbers beyond all bounds': saying(({ body }) => body.replace(/"id":"[^"]*"/g, '"id":1e999')),
  'ids that are NaN': saying(({ body }) => body.replace(/"id":"[^"]*"/g, '"id":NaN')),
  'ids that change with every answer': ids((id, { number }) => `${id}-${number}`),
  'every id twice, with another value': saying(({ body }) => body.replace(/"id":"([^"]*)"/g, '"id":"$1","id":"other"')),
  'the next page at another host': beside(({ elsewhere, url }) => ({ next: elsewhere + url })),
  'the next page at another host, in a link': linked(({ elsewhere, url }) => `<${elsewhere}${url}>; rel="next"`),
  'the next page at another host, without a scheme': beside(({ elsewhere, url }) => ({
    links: { next: elsewhere.replace('http:', '') + url },
  })),
  'the next page at another port, with a user': beside(({ elsewhere, url }) => ({
    next: `${elsewhere.replace('//', '//127.0.0.1@')}${url}`,
  })),
  'a next page that never ends': beside(({ number }) => ({ next_cursor: `c${number}`, has_more: true })),
  'next pages that go round in twos': beside((asked) => ({ next: `${path(asked)}?page=${asked.number % 2}` })),
  'a next page that deletes': beside((asked) => ({ next: `${path(asked)}?_method=DELETE&page=2` })),
  'a next page of 100,000 characters': beside((asked) => ({ next: `${path(asked)}?cursor=${'c'.repeat(100_000)}` })),
  'ten million pages': beside(() => ({ total_pages: 10_000_000, page: 1, per_page: 1, total: 1e15 })),
  'a created thing at another host': createdAt(({ elsewhere, url }) => `${elsewhere}${url}/1`),
  'a created thing outside of its collection': createdAt((asked) => `${path(asked)}/../../../etc/passwd`),
  'a created thing that cannot be decoded': createdAt((asked) => `${path(asked)}/%E0%A4%A`),
  'a created thing with line ends': createdAt((asked) => `${path(asked)}/a%0d%0aX-Injected:%201`),
  'a created thing whose id is the key': createdAt((asked) => `${path(asked)}/${encodeURIComponent(asked.key)}`),
};
