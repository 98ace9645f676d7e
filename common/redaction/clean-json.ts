import { isObject, isScalar } from '../json.ts';
import { fewestGroups, longestGroup } from './groups.ts';

type Clean = (text: string) => string;

/**
 * A JSON value with all strings, numbers and field names cleaned. A list or object that spells a secret in short
 * pieces, such as its bytes, becomes one with nothing but `…`. Gives the same value, not a copy, if it holds no secret.
 */
export const cleanJson = (value: unknown, clean: Clean): unknown =>
  isClean(value, clean) ? value : cleanCopy(value, clean);

const isClean = (value: unknown, clean: Clean): boolean => {
  const kind = kindOf(value, clean);
  return kind === 'clean' || (kind === 'short' && !spellsSecret(value, clean));
};

/**
 * Whether a value holds a secret within one text (`dirty`), or else whether all its texts and numbers are so short
 * (`short`) that they may spell a secret together.
 */
function kindOf(value: unknown, clean: Clean): 'dirty' | 'short' | 'clean' {
  if (isScalar(value)) {
    const text = String(value);
    return clean(text) !== text ? 'dirty' : text.length <= longestGroup ? 'short' : 'clean';
  }
  const items = itemsOf(value);
  if (isObject(value) && Object.keys(value).some((name) => clean(name) !== name)) {
    return 'dirty';
  }
  const kinds = items.map((item) => kindOf(item, clean));
  if (kinds.includes('dirty')) {
    return 'dirty';
  }
  if (!kinds.includes('clean')) {
    return 'short';
  }
  return items.some((item, index) => kinds[index] === 'short' && spellsSecret(item, clean)) ? 'dirty' : 'clean';
}

/** Whether single texts and numbers of a list or object do not show a secret, but all of them together do. */
function spellsSecret(value: unknown, clean: Clean): boolean {
  const items = itemsOf(value);
  if (items.length < fewestGroups && items.every(isScalar)) {
    return false;
  }
  const text = JSON.stringify(value);
  return clean(text) !== text;
}

const itemsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];

const isShort = (value: unknown): boolean =>
  isScalar(value) ? String(value).length <= longestGroup : itemsOf(value).every(isShort);

function cleanCopy(value: unknown, clean: Clean): unknown {
  if (isScalar(value)) {
    const text = String(value);
    const cleaned = clean(text);
    return cleaned === text ? value : cleaned;
  }
  if (Array.isArray(value)) {
    const copy = value.map((item) => cleanCopy(item, clean));
    return isShort(copy) && spellsSecret(copy, clean) ? ['…'] : copy;
  }
  if (!isObject(value)) {
    return value;
  }
  const copy = Object.fromEntries(Object.entries(value).map(([name, item]) => [clean(name), cleanCopy(item, clean)]));
  return isShort(copy) && spellsSecret(copy, clean) ? { '…': '…' } : copy;
}
