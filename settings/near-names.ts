import { distanceOf } from '../common/nearest.ts';
import { settings } from '../contract/settings.ts';

const names = settings.map(({ name }) => name);
const words = (name: string): string[] => name.toUpperCase().split(/[_.-]+/);
const joined = (name: string): string => words(name).join('');

const synonyms: Readonly<Record<string, string>> = { TOKEN: 'KEY', URI: 'URL' };

/** The same words in another order, or with or without `API`: `WORKSPACE_URL`, `API_TOKEN_SANDBOX`. */
const wordKey = (name: string): string =>
  words(name)
    .filter((word) => word !== 'API')
    .map((word) => synonyms[word] ?? word)
    .toSorted()
    .join(' ');

/** Other people's variables are longer by whole words: `DATABASE_BASE_URL`, `MY_WEBHOOK_SECRET`. */
const extendsByWords = (name: string, setting: string): boolean =>
  name.length > setting.length && `_${name}_`.includes(`_${setting}_`);

/** No slip makes a name longer than this. */
const longest = 100;

/** How many letters may be wrong: none in short names, which are near to much, two in long ones. */
const allowance = ({ length }: string): number => (length < 6 ? 0 : length < 12 ? 1 : 2);

const isSlip = (written: string, meant: string, setting: string): boolean =>
  Math.abs(written.length - meant.length) <= allowance(setting) && distanceOf(written, meant) <= allowance(setting);

/** The settings as they are compared with each variable of the environment. */
const known = names.map((setting) => ({
  setting,
  joined: joined(setting),
  wordKey: words(setting).length > 2 ? wordKey(setting) : null,
}));

/**
 * The setting that a name nearly is: another case, other separators, the same words in another order, or a slip of the
 * keyboard. undefined where it is a setting's own name, or somebody else's variable.
 */
export function nearSetting(name: string): string | undefined {
  if (names.includes(name) || name.length > longest) {
    return undefined;
  }
  const [upper, plain, key] = [name.toUpperCase(), joined(name), wordKey(name)];
  const found =
    known.find((one) => one.joined === plain) ??
    known.find((one) => one.wordKey === key) ??
    known.find(
      ({ setting, joined: meant }) =>
        !extendsByWords(name, setting) && (isSlip(upper, setting, setting) || isSlip(plain, meant, setting)),
    );
  return found?.setting;
}
