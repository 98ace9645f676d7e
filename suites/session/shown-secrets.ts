import { type Found, walk } from '../../common/json.ts';
import type { HeaderLines } from '../../results/exchange.ts';

/** Words that name a secret. */
const secretWord =
  /^(secrets?|sign(ing|ature)?|tokens?|hmac|verification|credentials?|passwords?|passphrase|private|keys?|whsec|apikey|plain(text)?)$/;
/** Words at the end of names that tell of a secret, and hold none. */
const toldWord =
  /^(id|ids|uuid|algorithm|alg|method|header|version|type|scheme|url|prefix|hint|name|format|encoding|at|count|status|preview|four|fingerprint)$/;
/** Names that say nothing by themselves: what they stand in does. */
const plainWord = /^(value|current|previous|primary|secondary|active|next|text|raw|data|hex|base)$/;
const masked = /[*…•]|\.\.\.|redacted|hidden/i;

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');

/** Whether a field's place names a secret: by its own name or, of a plain one, by what it stands in. */
function isNamedSecret(pointer: string): boolean {
  const names = pointer
    .split('/')
    .slice(1)
    .filter((name) => !/^\d+$/.test(name))
    .map(wordsOf);
  const [own = [], around = []] = names.toReversed();
  return (
    !toldWord.test(own.at(-1) ?? '') &&
    (own.some((word) => secretWord.test(word)) ||
      (plainWord.test(own.join('_')) && around.some((word) => secretWord.test(word))))
  );
}

const mayBeSecret = (value: unknown, least: number): value is string =>
  typeof value === 'string' &&
  value.length >= least &&
  !masked.test(value) &&
  !/\s|^https?:|^\/|^\d{4}-\d\d-\d\d/.test(value);

/** Letters and digits so mixed as only what is random has them. */
function isRandom(text: string): boolean {
  const plain = text.replace(/[^A-Za-z0-9]/g, '');
  const turns = plain.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])/g)?.length ?? 0;
  return plain.length >= 24 && turns * 4 >= plain.length;
}

const isIdentifying = ({ pointer }: Found): boolean =>
  pointer.split('/').some((name) => /^(id|uid|uuid|guid|ref|etag|cursor)$/.test(wordsOf(name).at(-1) ?? ''));

/**
 * The secrets that an answer shows to whoever created something, those first that are named so: what has the name of one in a
 * field or header, and whatever looks random and is no id. Masked ones are none.
 */
export function shownSecrets(json: unknown, headers: HeaderLines = []): string[] {
  const fields = walk(json);
  const named = fields.flatMap(({ pointer, value }) =>
    isNamedSecret(pointer) && mayBeSecret(value, 8) ? [value] : [],
  );
  const inHeaders = headers.flatMap(([name, value]) =>
    isNamedSecret(`/${name}`) && mayBeSecret(value, 8) ? [value] : [],
  );
  const ids = fields.filter(isIdentifying).map(({ value }) => String(value));
  const random = fields.flatMap(({ value }) =>
    mayBeSecret(value, 24) && isRandom(value) && !ids.some((id) => id.length >= 8 && value.includes(id)) ? [value] : [],
  );
  return [...new Set([...named, ...inHeaders, ...random])];
}
