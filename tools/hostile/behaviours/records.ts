import { type Asked, type Behaviour, bytesOf, changed, ids, withFields } from '../behaviour.ts';

/** Answers with every id replaced by another value. */
const idsAs = (make: (id: string, asked: Asked) => unknown): Behaviour =>
  ids((id, asked) => JSON.stringify(make(id, asked)));
const withFieldsAs = (make: (asked: Asked) => object): Behaviour =>
  withFields((asked) => JSON.stringify(make(asked)).slice(1, -1));
const linked = (make: (asked: Asked) => string): Behaviour =>
  changed((_, asked) => ({ headers: [['Link', make(asked)]] }));
/** Answers POSTs with 201, a Location and no body. */
const createdAt =
  (make: (asked: Asked) => string): Behaviour =>
  (socket, good, asked) => {
    const location = ['Location', make(asked)] as const;
    const isCreated = asked.method === 'POST';
    const headers = good.headers.filter(([name]) => !/^content-type$/i.test(name));
    socket.write(isCreated ? bytesOf({ status: 201, headers: [...headers, location] }, '') : bytesOf(good, good.body));
  };
const path = ({ url }: Asked): string => url.split('?')[0] ?? '';

/** Ids, locations and next pages that lead somewhere else. */
export const records: Readonly<Record<string, Behaviour>> = {
  'ids that are URLs of another host': idsAs((id, { elsewhere }) => `${elsewhere}/${id}`),
  'ids that begin with two slashes': idsAs((id, { elsewhere }) => `${elsewhere.replace('http:', '')}/${id}`),
  'ids that leave their collection': idsAs((id) => `../webhooks/${id}`),
  'ids that leave it, encoded': idsAs((id) => `..%2F..%2Fwebhooks%2F${id}`),
  'ids with backslashes': idsAs((id) => `..\\..\\${id}`),
  'ids that end the URL': idsAs((id) => `${id}#`),
  'ids with a user and a host': idsAs((id, { elsewhere }) => `@${new URL(elsewhere).host}/${id}`),
  'ids that are names of methods': idsAs(() => '__proto__'),
  'ids of control characters': idsAs(() => '\u0000\u0001\u001b[2J\u007f'),
  'ids of a mebibyte': idsAs(() => 'i'.repeat(1024 * 1024)),
  'ids that are minus zero': ids(() => '-0'),
  'ids of half a surrogate': idsAs(() => '\ud83d'),
  'ids of blanks and line ends': idsAs(() => ' \t\r\n '),
  'ids that are commands': idsAs(() => "'; rm -rf . #$(id)`id`"),
  'ids that are percent signs': idsAs(() => '%%%'),
  'ids in emoji': idsAs(() => '\u{1f469}\u200d\u{1f680}'),
  'ids that are true, and null': idsAs((id) => (id.length % 2 === 0 ? true : null)),
  'ids that are numbers beyond all bounds': ids(() => '1e999'),
  'ids that are NaN': ids(() => 'NaN'),
  'ids that change with every answer': idsAs((id, { number }) => `${id}-${number}`),
  'every id twice, with another value': ids((id) => `"${id}","id":"other"`),
  'the next page at another host': withFieldsAs(({ elsewhere, url }) => ({ next: elsewhere + url })),
  'the next page at another host, in a link': linked(({ elsewhere, url }) => `<${elsewhere}${url}>; rel="next"`),
  'the next page at another host, without a scheme': withFieldsAs(({ elsewhere, url }) => ({
    links: { next: elsewhere.replace('http:', '') + url },
  })),
  'the next page at another host, with tabs in its scheme': withFieldsAs(({ elsewhere, url }) => ({
    next: elsewhere.replace('http://', 'ht\ttp:/\t/') + url,
  })),
  'the next page at another host, with backslashes': withFieldsAs(({ elsewhere, url }) => ({
    next: elsewhere.replace('http://', '\\\\') + url,
  })),
  'the next page at another port, with a user': withFieldsAs(({ elsewhere, url }) => ({
    next: `${elsewhere.replace('//', '//127.0.0.1@')}${url}`,
  })),
  'a next page that never ends': withFieldsAs(({ number }) => ({ next_cursor: `c${number}`, has_more: true })),
  'next pages that go round in twos': withFieldsAs((asked) => ({ next: `${path(asked)}?page=${asked.number % 2}` })),
  'a next page that deletes': withFieldsAs((asked) => ({ next: `${path(asked)}?_method=DELETE&page=2` })),
  'a next page of 100,000 characters': withFieldsAs((asked) => ({
    next: `${path(asked)}?cursor=${'c'.repeat(100_000)}`,
  })),
  'ten million pages': withFieldsAs(() => ({ total_pages: 10_000_000, page: 1, per_page: 1, total: 1e15 })),
  'a created thing at another host': createdAt(({ elsewhere, url }) => `${elsewhere}${url}/1`),
  'a created thing outside of its collection': createdAt((asked) => `${path(asked)}/../../../etc/passwd`),
  'a created thing that cannot be decoded': createdAt((asked) => `${path(asked)}/%E0%A4%A`),
  'a created thing with line ends': createdAt((asked) => `${path(asked)}/a%0d%0aX-Injected:%201`),
  'a created thing whose id is the key': createdAt((asked) => `${path(asked)}/${encodeURIComponent(asked.key)}`),
};
