import { isObject } from '../../../common/json.ts';
import { snakeCase } from '../../../common/words.ts';

/** A name that is spelled in one of the usual ways: `lead_id`, `leadId`, `LeadId`, `lead-id`. */
const plainName = /^[A-Za-z][A-Za-z0-9]*([_-][A-Za-z0-9]+)*$/;

const wordsOf = (name: string): string[] => snakeCase(name).split(/[_-]/);

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** A name in the spelling of an example. */
function nameLike(name: string, example: string): string {
  if (!plainName.test(name)) {
    return name;
  }
  const words = wordsOf(name);
  if (/^[A-Z]/.test(example)) {
    return words.map(capitalised).join('');
  }
  const joint = /[_-]/.exec(example)?.[0];
  return joint === undefined
    ? words.map((word, index) => (index === 0 ? word : capitalised(word))).join('')
    : words.join(joint);
}

/** A document in which all names are spelled like the example. */
export function spelledLike(root: unknown, example: string): unknown {
  if (Array.isArray(root)) {
    return root.map((member) => spelledLike(member, example));
  }
  return isObject(root)
    ? Object.fromEntries(
        Object.entries(root).map(([name, value]) => [nameLike(name, example), spelledLike(value, example)]),
      )
    : root;
}

/**
 * The one of some names that a body has in another spelling, which shows how the deployment spells names; undefined:
 * none. A single word in lower case is spelled alike in all of them.
 */
export const respelling = (names: readonly string[], body: Readonly<Record<string, unknown>>): string | undefined =>
  names.find(
    (name) =>
      !(name in body) &&
      /[a-z]/.test(name) &&
      wordsOf(name).join('') !== name &&
      Object.keys(body).some((sent) => wordsOf(sent).join() === wordsOf(name).join()),
  );
