import type { Delivery } from '../signature/delivery.ts';
import type { Encoding, KeyForm, Scheme } from '../signature/scheme.ts';

/** Headers in each form in which servers hand them over. */
type AnyHeaders = Delivery['headers'] | Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
type Request = Pick<Delivery, 'method' | 'url' | 'registeredUrl' | 'body'> & { readonly headers: AnyHeaders };

export function verifyWebhook(scheme: Scheme, request: Request, secret: string, maxAgeSeconds?: number): boolean;
export function mismatch(scheme: Scheme, request: Request, secret: string, maxAgeSeconds?: number): string | null;
export function keyOf(form: KeyForm, secret: string): Buffer | undefined;
export function signedContent(scheme: Scheme, request: Request): Buffer;
export const runs: readonly (readonly [Encoding, RegExp])[];
export function decodeRun(run: string, encoding: Encoding): Buffer;
