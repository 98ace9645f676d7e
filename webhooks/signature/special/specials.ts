import type { Match, Search } from '../scene.ts';
import { findBodyFields, findManifest } from './body-fields.ts';
import { findCanonicalRequest } from './canonical-request.ts';
import { findHttpSignature } from './http-signature.ts';
import { findJws } from './jws.ts';
import { findMessageSignature } from './message-signature.ts';

/** Finds contents that follow a convention of their own, cheap searches first. */
export const findSpecials = (search: Search): Match[] =>
  [findJws, findMessageSignature, findHttpSignature, findCanonicalRequest, findManifest, findBodyFields].flatMap(
    (find) => find(search),
  );
