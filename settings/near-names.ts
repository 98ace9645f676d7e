import { distanceOf } from '../common/nearest.ts';
import { settings } from '../contract/settings.ts';

const names = settings.map(({ name }) => name);
const words = (name: string): string[] => name.toUpperCase().split(/[_.-]+/);
const joined = (name: string): string => words(name).join('');

const synonyms: Readonly<Record<string, string>> = { TOKEN: 'KEY', URI: 'URL' };

/** The developer API has the URL without a name of its own. */
const ofDeveloper: readonly string[] = ['DEVELOPER URL', 'BASE DEVELOPER URL'];

/** The same for names whose words only differ in order, or in `API`: `WORKSPACE_URL`, `API_TOKEN_SANDBOX`. */
const wordKey = (name: string): string =>
  words(name)
    .filter((word) => word !== 'API')
    .map((word) => synonyms[word] ?? word)
    .toSorted()
    .join(' ');

/**
 * Whether a name is a setting's with whole words added. Such variables belong to other programs: `DATABASE_BASE_URL`.
 */
const extendsByWords = (name: string, setting: string): boolean =>
  name.length > setting.length && `_${name}_`.includes(`_${setting}_`);

/** How many letters of a name may be wrong: none in a short one, since too many words are near it. */
const allowance = ({ length }: string): number => (length < 6 ? 0 : length < 12 ? 1 : 2);

/**
 * The setting that a misspelt name stands for: it differs in case, separators, the order of words, or a letter or two.
 * undefined if the name is itself a setting, or not near any. `isUrlMissing`: BASE_URL is not set, so that names which
 * may also be other programs' stand for it.
 */
export function nearSetting(name: string, isUrlMissing = false): string | undefined {
  if (names.includes(name)) {
    return undefined;
  }
  const plain = joined(name);
  const key = wordKey(name);
  if (isUrlMissing && ofDeveloper.includes(key)) {
    return 'BASE_URL';
  }
  return (
    names.find((setting) => words(setting).length > 2 && wordKey(setting) === key) ??
    names.find((setting) => !extendsByWords(name, setting) && distanceOf(plain, joined(setting)) <= allowance(setting))
  );
}
