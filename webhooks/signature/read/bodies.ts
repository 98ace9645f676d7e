import type { Delivery } from '../delivery.ts';
import type { Source } from '../scheme.ts';
import { type BodyForm, bodyFormNames, bodyForms, without } from './body-forms.ts';
import { bounds } from './bounds.ts';

/**
 * How the signed form relates to the bytes sent: it is they, it is computed from them, it is another text that a
 * receiver can only guess, or it holds nothing of them.
 */
export type Coverage = 'raw' | 'derived' | 're-serialised' | 'none';

/** How much of the body a form covers, if the signature is at that place. */
export function coverage(form: BodyForm, signature: Source): Coverage {
  const { covers }: { readonly covers: Coverage | 'unsigned' } = bodyForms[form];
  if (covers === 'unsigned') {
    return signature.in === 'body' ? 'derived' : 're-serialised';
  }
  return covers;
}

/** The forms of one delivery's body, each made at most once. */
export interface Bodies {
  readonly parsed: unknown;
  /** Undefined if the form does not exist for this body, or the body is too large for it. */
  of(form: BodyForm): Buffer | undefined;
  /** The forms whose bytes differ from those of all forms before them. */
  distinct(): { readonly form: BodyForm; readonly bytes: Buffer }[];
}

/** The forms that are made of bodies of any size. */
const cheap: readonly BodyForm[] = [
  'raw',
  'empty',
  'sha256-hex',
  'sha256-hex-upper',
  'sha256-base64',
  'sha256-base64url',
];

/**
 * The forms of a delivery's body. `signaturePointer` is the place of a signature inside the body, for the forms that
 * leave it out.
 */
export function bodiesOf(delivery: Delivery, parsed: unknown, signaturePointer?: string): Bodies {
  const made = new Map<BodyForm, Buffer | undefined>();
  const json = typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  const rest = signaturePointer === undefined ? undefined : without(json, signaturePointer);
  const reading = { delivery, json, unsigned: typeof rest === 'object' && rest !== null ? rest : undefined };
  const small = delivery.body.length <= bounds.parsedBody;
  const of = (form: BodyForm): Buffer | undefined => {
    if (!made.has(form)) {
      made.set(form, small || cheap.includes(form) ? attempt(() => bodyForms[form].make(reading)) : undefined);
    }
    return made.get(form);
  };
  return {
    parsed,
    of,
    distinct() {
      const seen: { form: BodyForm; bytes: Buffer }[] = [];
      for (const form of bodyFormNames) {
        const bytes = of(form);
        if (bytes !== undefined && !seen.some((one) => one.bytes.equals(bytes))) {
          seen.push({ form, bytes });
        }
      }
      return seen;
    },
  };
}

/** The bytes of a form; undefined if making it fails, as for broken compression or too deep JSON. */
function attempt(make: () => Buffer | string | undefined): Buffer | undefined {
  try {
    const made = make();
    return typeof made === 'string' ? Buffer.from(made) : made;
  } catch {
    return undefined;
  }
}
