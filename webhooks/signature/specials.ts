import { findBodyFields, findManifest } from './body-fields.ts';
import type { Budget } from './budget.ts';
import { findCanonicalRequest } from './canonical-request.ts';
import { findJws } from './jws.ts';
import type { Key } from './keys.ts';
import { findMessageSignature } from './message-signature.ts';
import type { Match, Scene } from './search.ts';

/** Contents that follow a convention of their own, in order of cost. */
export function findSpecials(scene: Scene, keys: readonly Key[], budget: Budget): Match[] {
  return [findJws, findMessageSignature, findCanonicalRequest, findManifest, findBodyFields].flatMap((find) =>
    find(scene, keys, budget),
  );
}
