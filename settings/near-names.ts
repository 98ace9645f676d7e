import { distanceOf } from '../common/nearest.ts';
import { settings } from '../contract/settings.ts';

const names = settings.map(({ name }) => name);
const joined = (name: string): string => name.toUpperCase().replace(/[_.-]+/g, '');

/**
 * Whether a name is a setting's with whole words added. Such variables belong to other programs: `DATABASE_BASE_URL`.
 */
const extendsByWords = (name: string, setting: string): boolean =>
  name.length > setting.length && `_${name}_`.includes(`_${setting}_`);

/** How many letters of a name may be wrong: none in a short one, since too many words are near it. */
const allowance = ({ length }: string): number => (length < 6 ? 0 : length < 12 ? 1 : 2);

/**
 * The setting that a misspelt name stands for: it differs in case, separators, a letter or two, or lacks the API of
 * API_KEY. undefined if the name is itself a setting, or not near any. A URL under quite another name is missed by its
 * key (`refuseStrayKeys`).
 */
export function nearSetting(name: string): string | undefined {
  const plain = joined(name);
  const isNear = (setting: string): boolean =>
    distanceOf(plain, joined(setting)) <= allowance(setting) || plain === joined(setting).replace(/APIKEY$/, 'KEY');
  return names.includes(name) ? undefined : names.find((setting) => !extendsByWords(name, setting) && isNear(setting));
}
