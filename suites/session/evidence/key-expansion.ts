import type { ApiKey } from '../key.ts';

/** The name of a shell variable for a key with that label. */
export const settingName = (label: string): string => label.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();

/**
 * The shell expansion that gives a key. A given key is read from its setting, a key that the run made from `$KEY`,
 * which the script sets. A made-up key is derived from one of these, or invented anew: it cannot be printed, since it
 * may look like a real one.
 */
export function expansionOf(key: ApiKey): string {
  const { secret, label, origin, derivedFrom, creation, isWord } = key;
  if (creation !== undefined) {
    return '$KEY';
  }
  if (origin === 'given') {
    return `\${${settingName(label)}:?}`;
  }
  if (derivedFrom?.creation !== undefined) {
    return secret === derivedFrom.id ? '$ID' : alteration(secret, derivedFrom.secret, 'KEY');
  }
  if (isWord) {
    return secret;
  }
  return derivedFrom === undefined
    ? expansionToSet(key)
    : alteration(secret, derivedFrom.secret, settingName(derivedFrom.label));
}

/** A line that stops the script unless the key that a made-up one is derived from is set: `${NAME%?}` does not. */
export const requireSetting = ({ derivedFrom, isWord }: ApiKey): string[] =>
  isWord || derivedFrom === undefined || derivedFrom.creation !== undefined
    ? []
    : [`: "\${${settingName(derivedFrom.label)}:?}"`];

/** Asks the reader for a key that only the deployment's owner can make (a revoked one), or that was not recorded. */
function expansionToSet({ label, setting, origin }: ApiKey): string {
  const name = settingName(label);
  if (setting !== undefined) {
    return `\${${name}:?}`;
  }
  const what = origin === 'own' ? 'a key like the one named' : 'a key that is not valid:';
  return `\${${/^\d/.test(name) ? '_' : ''}${name}:?set it to ${what} ${label.replace(/[^\w ,.-]/g, '')}}`;
}

/** Shell text that makes `secret` out of the key in the variable `name`, whose value is `from`. */
function alteration(secret: string, from: string, name: string): string {
  const last = secret.at(-1) ?? '';
  if (secret === from.slice(0, -1)) {
    return `\${${name}%?}`;
  }
  if (secret === from.slice(0, -1) + last) {
    return `\${${name}%?}${last}`;
  }
  if (secret === from + last) {
    return `\${${name}:?}${last}`;
  }
  const print = `printf %s "\${${name}:?}"`;
  const changed = [...secret].findIndex((letter, index) => letter !== from[index]);
  if (secret.slice(changed + 1) === from.slice(changed + 1) && secret.length === from.length) {
    return `$(${print} | sed 's/./${secret[changed]}/${changed + 1}')`;
  }
  if (secret === from.toUpperCase()) {
    return `$(${print} | tr a-z A-Z)`;
  }
  if (secret === from.toLowerCase()) {
    return `$(${print} | tr A-Z a-z)`;
  }
  return aroundPiece(secret, from, print) ?? invented(secret);
}

/** Least length of a piece of a key that is cut out of it, and most characters around the piece. */
const leastPiece = 6;
const mostAround = 12;

/** Shell text for a piece of the key that `print` prints, with a few characters around it; null: there is none. */
function aroundPiece(secret: string, from: string, print: string): string | null {
  const least = Math.max(leastPiece, secret.length - mostAround);
  for (let length = secret.length; length >= least; length -= 1) {
    for (let start = 0; start + length <= from.length; start += 1) {
      const at = secret.indexOf(from.slice(start, start + length));
      if (at !== -1) {
        const piece = `$(${print} | cut -c${start + 1}-${start + length})`;
        return `${secret.slice(0, at)}${piece}${secret.slice(at + length)}`;
      }
    }
  }
  return null;
}

/** Shell text for a random key with the same prefix, which serves as well. */
const invented = (secret: string): string => {
  const prefix = /^(?:[A-Za-z0-9]{2,12}_){1,2}/.exec(secret)?.[0] ?? '';
  return `${prefix}$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')`;
};
