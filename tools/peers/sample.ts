import { createHash } from 'node:crypto';
import type { ApiName } from '../../contract/clause.ts';
import { choices, faults } from '../../fixtures/reference/deployment.ts';

/** A deployment to measure a tool on, and the API that is measured. */
export interface Subject {
  readonly api: ApiName;
  readonly kind: 'plain' | 'fault' | 'choice';
  /** The fault's id, or NAME=VALUE of the choice, or the number of a plain run. */
  readonly id: string;
  /** What is wrong with it, or what it decides. */
  readonly says: string;
  /** The chapter of the clause that the fault breaks, such as `developer.auth`. */
  readonly chapter: string;
}

export const sampleSeed = 14;
export const faultCount = 40;
export const choiceCount = 10;

/** Sorts by a hash of the seed and each name, so that added or removed names do not change the order of the others. */
const shuffled = <T>(list: readonly T[], name: (one: T) => string, seed: number): T[] => {
  const rank = (one: T): string =>
    createHash('sha256')
      .update(`${seed} ${name(one)}`)
      .digest('hex');
  return list.toSorted((a, b) => rank(a).localeCompare(rank(b)));
};

const allFaults: readonly Subject[] = faults.map(({ api, id, defect, fails }) => ({
  api,
  kind: 'fault',
  id,
  says: defect,
  chapter: (fails[0] ?? api).split('.').slice(0, 2).join('.'),
}));

/** One fault of every chapter, and further ones in proportion to the sizes of the chapters. */
export function drawFaults(seed = sampleSeed): readonly Subject[] {
  const chapters = [
    ...Map.groupBy(
      shuffled(allFaults, ({ id }) => id, seed),
      ({ chapter }) => chapter,
    ),
  ];
  const taken = new Map(chapters.map(([chapter]) => [chapter, 1]));
  const share = ([chapter, all]: (typeof chapters)[number]): number => all.length / ((taken.get(chapter) ?? 0) + 0.5);
  for (let left = faultCount - chapters.length; left > 0; left -= 1) {
    const open = chapters.filter(([chapter, all]) => (taken.get(chapter) ?? 0) < all.length);
    const next = open.toSorted((a, b) => share(b) - share(a) || a[0].localeCompare(b[0]))[0];
    if (next !== undefined) {
      taken.set(next[0], (taken.get(next[0]) ?? 0) + 1);
    }
  }
  return chapters
    .toSorted(([a], [b]) => a.localeCompare(b))
    .flatMap(([chapter, all]) => all.slice(0, taken.get(chapter)));
}

/** Values of different choices, half of them for each API. */
export function drawChoices(seed = sampleSeed): readonly Subject[] {
  const apis: readonly ApiName[] = ['developer', 'workspace'];
  return apis.flatMap((api) =>
    shuffled(
      choices.filter((choice) => choice.api === api),
      ({ name }) => name,
      seed,
    )
      .slice(0, choiceCount / apis.length)
      .flatMap(({ name, open, values }) => {
        const [value] = shuffled(Object.keys(values), (one) => `${name}=${one}`, seed);
        return value === undefined
          ? []
          : [
              {
                api,
                kind: 'choice' as const,
                id: `${name}=${value}`,
                says: `${open} → ${values[value]?.says ?? ''}`,
                chapter: name,
              },
            ];
      }),
  );
}
