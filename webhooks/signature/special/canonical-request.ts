import { type Delivery, headerValues } from '../delivery.ts';
import { bounds } from '../read/bounds.ts';
import { explainContent, type Match, type Search } from '../scene.ts';

/** Method, path and query, `name:value` of the signed headers joined by `;`, and the body, each on a line. */
export function canonicalRequest(signedHeaders: string, delivery: Delivery): Buffer | undefined {
  const list = headerValues(delivery, signedHeaders)[0];
  if (list === undefined) {
    return undefined;
  }
  const names = list
    .slice(0, bounds.headerLength)
    .split(/[,; ]+/)
    .filter(Boolean)
    .slice(0, bounds.headers);
  const pairs = names.map((name) => `${name.toLowerCase()}:${(headerValues(delivery, name)[0] ?? '').trim()}`);
  return Buffer.concat([Buffer.from(`${delivery.method}\n${delivery.url}\n${pairs.join(';')}\n`), delivery.body]);
}

/** Finds a signed canonical request, which comes with a header that lists the signed headers. */
export const findCanonicalRequest = (search: Search): Match[] =>
  search.scene.delivery.headers
    .filter(([name]) => /signed-?headers/i.test(name))
    .slice(0, 4)
    .flatMap(([name]) =>
      explainContent(
        search,
        { kind: 'canonical-request', signedHeaders: name },
        canonicalRequest(name, search.scene.delivery),
      ),
    );
