import type { Bodies } from './bodies.ts';
import { bounds } from './bounds.ts';
import type { Budget } from './budget.ts';
import type { Delivery } from './delivery.ts';
import { headerValues } from './delivery.ts';
import { explain } from './explain.ts';
import type { Key } from './keys.ts';
import type { Match, Scene } from './search.ts';

/** Method, path and query, `name:value` of the signed headers joined by `;`, and the body, one to a line. */
export function canonicalRequest(
  signedHeaders: string,
  delivery: Delivery,
  bodies: Pick<Bodies, 'of'>,
): Buffer | undefined {
  const list = headerValues(delivery, signedHeaders)[0];
  const body = bodies.of('raw');
  if (list === undefined || body === undefined) {
    return undefined;
  }
  const names = list
    .slice(0, bounds.headerLength)
    .split(/[,; ]+/)
    .filter(Boolean)
    .slice(0, bounds.headers);
  const pairs = names.map((name) => `${name.toLowerCase()}:${(headerValues(delivery, name)[0] ?? '').trim()}`);
  return Buffer.concat([Buffer.from(`${delivery.method}\n${delivery.url}\n${pairs.join(';')}\n`), body]);
}

/** Looks for a header that lists other headers, which is how such a scheme shows. */
export function findCanonicalRequest(scene: Scene, keys: readonly Key[], budget: Budget): Match[] {
  const lists = scene.delivery.headers.filter(([name]) => /signed-?headers/i.test(name)).slice(0, 4);
  return lists.flatMap(([name]) => {
    const text = canonicalRequest(name, scene.delivery, scene.bodies);
    if (text === undefined) {
      return [];
    }
    const content = { kind: 'canonical-request', signedHeaders: name } as const;
    return explain(scene, keys, budget, text).map(({ token, key }) => ({ token, key, content }));
  });
}
