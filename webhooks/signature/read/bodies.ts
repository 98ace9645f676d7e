import type { Delivery } from '../delivery.ts';
import type { Source } from '../scheme.ts';
import { type BodyForm, bodyFormNames, bodyForms, without } from './body-forms.ts';
import { bounds } from './bounds.ts';

/** How much of the body a form covers, for a signature that stands at `signature`. */
export type Coverage = 'raw' | 'derived' | 're-serialised' | 'none';

export function coverage(form: BodyForm, signature: Source): Coverage {
  const { covers }: { readonly covers: Coverage | 'unsigned' } = bodyForms[form];
  if (covers === 'unsigned') {
    return signature.in === 'body' ? 'derived' : 're-serialised';
  }
  return covers;
}

/** A reading of one delivery's body that makes each form once. */
export interface Bodies {
  readonly parsed: unknown;
  /** Undefined where the form does not exist for this body, or the body is too large to be written another way. */
  of(form: BodyForm): Buffer | undefined;
  /** Forms whose bytes differ from those of every form before them. */
  distinct(): { readonly form: BodyForm; readonly bytes: Buffer }[];
}

/** These are cheap however large the body is. */
const cheap: readonly BodyForm[] = [
  'raw',
  'empty',
  'sha256-hex',
  'sha256-hex-upper',
  'sha256-base64',
  'sha256-base64url',
];

/** `signaturePointer`: where a signature inside the body stands, for the forms that leave it out. */
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

/** Compressed bytes that do not decompress and values too deep to write have no such form. */
function attempt(make: () => Buffer | string | undefined): Buffer | undefined {
  try {
    const made = make();
    return typeof made === 'string' ? Buffer.from(made) : made;
  } catch {
    return undefined;
  }
}
