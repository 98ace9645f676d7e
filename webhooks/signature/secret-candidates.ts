import { decide } from '../../common/decide.ts';
import { pointerNames, walk } from '../../common/json.ts';
import { isMasked, switchesOften } from '../../common/redaction/key-like.ts';
import { snakeCase } from '../../common/words.ts';
import type { HeaderLines } from './delivery.ts';
import { unitOfTime } from './times.ts';

/**
 * A text that may be a webhook's signing secret. Its place is a JSON pointer, or `header …`; `named` says whether that has
 * a secret's name, since otherwise only its look suggests a secret.
 */
export type SecretCandidate = ReturnType<typeof secretCandidates>[number];

const mostCandidates = 12;

/**
 * The strings in an answer that could be a signing secret, likeliest first. `json`: the text, if it is no JSON. Any text
 * that looks random counts, whatever its field's name, unless it is an id, a URL, a time or a word, or was part of the
 * request's body (`sent`). Names only order the candidates.
 */
export function secretCandidates(json: unknown, headers: HeaderLines = [], sent?: unknown) {
  const echoes = new Set(stringsIn(sent).map(({ value }) => value));
  const shown = [
    ...stringsIn(json),
    ...headers.map(([name, value]) => ({ value: value.trim(), place: `header ${name}`, path: [name] })),
  ];
  const ids = new Set(shown.filter(({ path }) => isIdName(nameOf(path))).map(({ value }) => value));
  const ranked = shown
    .filter(({ value }) => couldBe(value) && !echoes.has(value) && !ids.has(value))
    .map((one) => ({ ...one, rank: rankOf(one) }))
    .filter(({ rank }) => rank < none)
    .sort((a, b) => a.rank - b.rank);
  return [...Map.groupBy(ranked, ({ value }) => value).values()]
    .flatMap((group) => group.slice(0, 1))
    .slice(0, mostCandidates)
    .map(({ value, place, rank }) => ({ value, place, named: rank < byLook }));
}

/** The strings of a document; `path` has the names of the fields on the way to one, leaving out indices. */
const stringsIn = (json: unknown) =>
  walk(json).flatMap(({ value, pointer }) => {
    const path = pointerNames(pointer).filter((name) => !/^\d+$/.test(name));
    return typeof value === 'string' ? [{ value, place: pointer, path }] : [];
  });

/** The last names of a path as one: a secret may be wrapped, as in `{"signing": {"key": "…"}}`. */
const nameOf = (path: readonly string[], last = 2): string =>
  snakeCase(path.slice(-last).join('_').replaceAll('-', '_'));

/** Whether a text is as long as a secret, without blanks, not masked, and neither a URL nor an email address. */
const couldBe = (text: string): boolean =>
  text.length >= 8 &&
  text.length <= 512 &&
  !/\s/.test(text) &&
  !isMasked(text) &&
  !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) &&
  !/^[^@/]+@[^@/]+\.[a-z]+$/i.test(text);

/** Whether a text is a number or a time. A field that is named a secret may still hold one of digits. */
const isNumber = (text: string): boolean => /^[-+]?\d*\.?\d{1,15}$/.test(text) || unitOfTime(text) !== undefined;

const isIdName = (name: string): boolean =>
  /(^|[_.-])(ids?|uuid|uid|guid|ref|etag|trace|request|ray|cursor|nonce|cookie|csrf|policy|version|hash|digest|fingerprint|checksum)$/.test(
    name,
  );
/** Names of fields about a secret or a webhook, whose texts may look random too, such as a name with the run's tag. */
const aboutSecret =
  /(_|^)(type|hint|last_?4|prefix|suffix|created|expires|rotated|at|name|label|title|description|notes?|comment|algorithm|status|masked|scope|usage)$/;
/** By what a text is taken for a secret, the likeliest first. */
const [bySecret, bySigning, byKey, byLook, none] = [0, 1, 2, 3, 4];

const keyName = /key|token|password|passphrase|credential|salt/;
const isWord = /^[a-z]+(?:[\s:._-][a-z]+)*$/i;

function rankOf({ path, value }: ReturnType<typeof stringsIn>[number]): number {
  const name = nameOf(path);
  const wrapped = nameOf(path, 3);
  const around = nameOf(path.slice(-2, -1));
  // Words in an object that is called a key, such as its plan, are none.
  const isWordOfKey = isWord.test(value) && !keyName.test(nameOf(path, 1));
  const [rank] = decide<[number]>(
    [isIdName(name) || aboutSecret.test(name), none],
    [/secret/.test(wrapped) || /^(v1,)?whsec_/.test(value), bySecret],
    [isNumber(value), none],
    [/sign|hmac|verif|shared/.test(wrapped), bySigning],
    [keyName.test(name), isWordOfKey ? none : byKey],
    // An id may be wrapped, as in `{"_id": {"$oid": "…"}}`.
    [looksRandom(value) && !/(^|_)(ids?|uuid|uid|guid)$/i.test(around), byLook],
    [true, none],
  );
  return rank;
}

/** The beginning of `/v1/webhooks/17`, as in Location. A text in base64 may begin with a slash, too. */
const path = /^\/[a-z][\w-]{0,19}\//;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether letters of both cases and digits alternate as they do by chance: in words fewer neighbours differ. */
export const alternates = (text: string): boolean => switchesOften(text.replace(/[^a-z0-9]/gi, ''), 1, 0.3);

/** Whether a text looks generated: long, of many characters, with digits or letters of random case; no UUID, no path. */
export function looksRandom(text: string): boolean {
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[+/=_~.-]/].filter((one) => one.test(text)).length;
  const isLong = /^[\w+/=~.-]{20,}$/.test(text) && new Set(text).size >= 8;
  return isLong && classes >= 2 && (/\d/.test(text) || alternates(text)) && !uuid.test(text) && !path.test(text);
}
