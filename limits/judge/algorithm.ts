import { type Explanation, type Family, isSpacing } from './explain.ts';
import type { Timeline } from './timeline.ts';

const descriptions = {
  'fixed window': 'The whole limit came back at once, at the end of a fixed window.',
  'window in segments': 'The limit came back in parts, each when a segment of the window had passed.',
  'sliding log': 'Each call was freed one window after it was made.',
  'sliding log counting refusals': 'Refused calls were counted too: each delayed the return.',
  'renewed by each call':
    'Calls were admitted again only after a window without any call: refused calls restart the window.',
  'sliding counter':
    'The limit came back little by little from the end of a window on: calls of the window before weigh less and less.',
  'token bucket': 'The limit came back one call at a time from the start, as from a bucket that is refilled.',
  'spacing or small bucket': 'Few calls are admitted at once, and then one at a time.',
  'none met': 'Nothing was refused.',
  unknown: 'The admitted and refused calls fit more than one algorithm, or none that is known.',
} as const;

type Algorithm = keyof typeof descriptions;

export type WindowVerdict = ReturnType<typeof verdictOn>;

const verdictOn = (algorithm: Algorithm, says: string = descriptions[algorithm]) => ({ algorithm, says });

/** Whether calls may come back one by one. */
export const mayRefill = ({ algorithm }: WindowVerdict): boolean =>
  ['sliding counter', 'token bucket', 'spacing or small bucket', 'unknown'].includes(algorithm);

/** The families by how much they say if they explain a trace: segments explain everything that a counter does. */
const tiers: readonly (readonly Family[])[] = [
  ['fixed window', 'sliding log'],
  ['token bucket'],
  ['sliding counter', 'sliding log counting refusals', 'renewed by each call'],
  ['window in segments'],
];

/** Names the algorithm that the explanations agree on, with a sentence about what was seen. */
export function nameAlgorithm(
  { refusalAfter, admissionBefore }: Timeline,
  explanations: readonly Explanation[],
  limit: number,
): WindowVerdict {
  const refusedAt = refusalAfter(-Infinity);
  if (refusedAt === Infinity) {
    return verdictOn('none met');
  }
  if (admissionBefore(Infinity) <= refusedAt) {
    return verdictOn('unknown', 'No call was admitted again while the run lasted.');
  }
  if (explanations.some((one) => isSpacing(one, limit))) {
    return verdictOn('spacing or small bucket');
  }
  const explain = (family: Family): boolean => explanations.some((one) => one.family === family);
  const [only = 'unknown', ...others] =
    tiers.map((tier) => tier.filter(explain)).find(({ length }) => length > 0) ?? [];
  return verdictOn(others.length === 0 ? only : 'unknown');
}
