import { createHash } from 'node:crypto';

/**
 * What the suites cannot judge rightly yet, and why: ids of faults, `choice=value`, names of profiles; several choices that meet,
 * `and others` standing for any; `combination` with a digest for one that was drawn. The proof runs these too, and fails where a
 * fault or a single choice has come right: its line goes then.
 */
export const pending: Readonly<Record<string, string>> = {
  'developer-key-list=first-page-only developer-key-cap=two developer-rotation=secret-of-new-record':
    'Nothing shows the ids of rotated keys: they stay, named, and the account is full from then on.',
  'developer-key-ids=beginning developer-rotation=secret-of-new-record':
    'Rotation shows no id, and in the list the ids look like the beginnings of secrets that stand there, too.',
  'developer-key-ids=beginning developer-key-nesting=sentence':
    'The id of a key, and how its secret begins, stand in a sentence alone.',
  'developer-key-fields=german developer-rotation=secret-of-new-record':
    'Rotation shows no id, and in the list no field is called one: rotated keys stay, named.',
  'developer-key-cap=four-429 developer-retry-after=none developer-lockout=429-after-8':
    'Three kinds of 429 without a word of their end: a lockout looks like a window.',
  'developer-key-fields=account-first developer-key-list=first-page-only':
    'No answer shows the id of a key that the run made, but a page of the list that nothing leads to.',
  'developer-key-fields=metadata developer-key-list=first-page-only': 'The same.',
  'developer-key-fields=number-first developer-key-ids=checked':
    'What the deployment calls an id is none by its own check digits: no key can be read.',
  'developer-key-fields=number-first developer-key-list-age=late developer-key-cap=four-429 developer-latency=slow':
    'While the id of a key is looked for in a late list, keys pile up, and four are the most.',
  'developer-key-fields=path-as-name developer-key-nesting=details':
    'The id ends a path that stands outside the record, and a uid inside it looks more like one.',
  'workspace-ids=alike workspace-create-answer=location workspace-record-style=resource':
    'The id of a webhook is a small number at the end of a path, and a uid beside it looks more like one.',
  'workspace-ids=alike workspace-row-numbers=bookings':
    "Two small numbers, in a list of many pages: which one paths take cannot be told without a risk to another's booking.",
};

/** Combinations have names of a thousand characters and more: the list knows them by a digest. */
const nameInList = (name: string): string =>
  name.length > longestName ? `combination ${createHash('sha256').update(name).digest('hex').slice(0, 10)}` : name;
const longestName = 500;

export const isPending = (name: string): boolean => Object.hasOwn(pending, nameInList(name));

/** Choices of a combination that the suites cannot judge, as far as they stand in it together. */
export const pendingIn = (chosen: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(pending)
    .map((name) => name.split(' ').filter((part) => part.includes('=')))
    .filter(
      (parts) => parts.length > 0 && parts.every((part) => chosen[part.split('=')[0] ?? ''] === part.split('=')[1]),
    )
    .flatMap((parts) => parts.slice(-1));
