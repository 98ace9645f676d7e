import { walk } from '../../../common/json.ts';

const secretName = /secret|signing_?key|shared_?key|hmac_?key|verification_?(key|token)/i;
const masked = /[*…•]|\.\.\.|redacted|hidden/i;

/** Signing secrets that an answer shows, under whatever name; masked ones are none. */
export function secretsIn(json: unknown): string[] {
  const shown = walk(json).filter(
    ({ name, value }) => secretName.test(name) && typeof value === 'string' && value.length >= 8,
  );
  return [
    ...new Set(shown.map(({ value }) => String(value)).filter((value) => !masked.test(value) && !/\s/.test(value))),
  ];
}
