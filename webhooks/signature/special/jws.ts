import { createHash } from 'node:crypto';
import { canonical, isObject, walk } from '../../../common/json.ts';
import type { Delivery } from '../delivery.ts';
import { without } from '../read/body-forms.ts';
import { bounds } from '../read/bounds.ts';
import { type Jws, readJws } from '../read/jws.ts';
import { leavesOf } from '../read/leaves.ts';
import type { Match, Search } from '../scene.ts';
import type { JwsCover, Source } from '../scheme.ts';
import { textAt } from '../source.ts';

/** The bytes that a JWS signs: its first two parts. In a detached JWS the second part is the body. */
export function signingInput(jws: Jws, covers: JwsCover, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${jws.head}.`), Buffer.from(secondPart(jws, covers, body))]);
}

function secondPart(jws: Jws, covers: JwsCover, body: Buffer): string | Buffer {
  if (covers.by !== 'detached') {
    return jws.payload;
  }
  return covers.encoded ? body.toString('base64url') : body;
}

/** The JWS at a source. In a header, `Bearer` may come before it. */
export function jwsAt(source: Source, delivery: Delivery, parsed: unknown): Jws | undefined {
  const whole = source.in === 'header' ? { ...source, label: null } : source;
  const text =
    source.in === 'body' && source.pointer === '' ? delivery.body.toString('utf8') : textAt(whole, delivery, parsed);
  return text === undefined ? undefined : readJws(text);
}

/** Finds a JWS (HS256) anywhere in the delivery, whether or not it covers the body. */
export function findJws(search: Search): Match[] {
  const { delivery, wanted, bodies } = search.scene;
  return [...wanted.values()].flat().flatMap((token): Match[] => {
    const jws = jwsAt(token.source, delivery, bodies.parsed);
    if (jws?.algorithm !== 'HS256' || jws.signature !== token.text) {
      return [];
    }
    for (const covers of coversOf(jws, token.source, delivery, bodies.parsed)) {
      const input = signingInput(jws, covers, delivery.body);
      search.budget.content();
      const key = search.keys.find((one) => search.budget.hmac(one, [input]) === token.bytes.toString('hex'));
      if (key !== undefined) {
        return [{ token, key: key.form, content: { kind: 'jws', covers } }];
      }
    }
    return [];
  });
}

/** The ways in which a JWS may cover the body. Only for a detached one there are two. */
function coversOf(jws: Jws, source: Source, delivery: Delivery, parsed: unknown): readonly JwsCover[] {
  if (jws.payload === '') {
    return [true, false].map((encoded) => ({ by: 'detached', encoded }) as const);
  }
  if (source.in === 'body' && isEnvelope(without(parsed, source.pointer))) {
    return [{ by: 'place' }];
  }
  return [coverByHash(jws.claims, delivery.body) ?? coverByClaim(jws.claims, parsed) ?? { by: 'nothing' }];
}

/** Whether the rest of a body around a JWS is only an envelope, and no payload. */
const isEnvelope = (rest: unknown): boolean =>
  !isObject(rest) || Object.values(rest).every((value) => typeof value !== 'object' || value === null);

/** The claim that is the body's SHA-256. */
export function coverByHash(claims: unknown, body: Buffer): Extract<JwsCover, { by: 'hash' }> | undefined {
  const hash = createHash('sha256').update(body).digest();
  const texts = new Map(
    (['hex', 'base64', 'base64url'] as const).map((encoding) => [hash.toString(encoding), encoding] as const),
  );
  for (const { pointer, text } of leavesOf(claims)) {
    const encoding = texts.get(text) ?? texts.get(text.toLowerCase());
    if (encoding !== undefined) {
      return { by: 'hash', claim: pointer, encoding };
    }
  }
  return undefined;
}

/** The claim that is the payload: the claims themselves, or one of them. */
export function coverByClaim(claims: unknown, parsed: unknown): Extract<JwsCover, { by: 'claim' }> | undefined {
  if (typeof parsed !== 'object' || parsed === null) {
    return undefined;
  }
  const payload = canonical(parsed);
  const found = walk(claims, bounds.leaves).find(
    ({ value, depth }) => depth <= 1 && typeof value === 'object' && canonical(value) === payload,
  );
  return found === undefined ? undefined : { by: 'claim', claim: found.pointer };
}
