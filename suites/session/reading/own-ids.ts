import { at, isObject, type JsonObject } from '../../../common/json.ts';
import { decoded } from '../../../common/uri.ts';
import { workspaceEndpoints } from '../../../contract/workspace-endpoints.ts';

/** An id among a record's own fields. */
interface OwnId {
  readonly id: string;
  /** The field that holds it, or the link. */
  readonly name: string;
  /** 0: the field is called an id, or is a link to the record; 1: it may be one, where nothing else is. */
  readonly rank: 0 | 1;
}

const called = /^[@_$]?(id|uid|uuid|guid)$/;
const likely =
  /(^|_)(id|uid|uuid|guid|ref|reference|identifier|handle|sid|oid|gid)$|^(identity|code|slug|urn|pk|number|no|key)$/;
/** What may be the secret of one of these. */
const secretOf = /^(webhook|key)$/;

const snake = (name: string): string =>
  /[A-Z]/.test(name) ? name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase() : name;

/** `agent`, `lead`: what records of the workspace API refer to. A number may be the id of one of each kind. */
const kinds = [...new Set(workspaceEndpoints.map(({ path }) => path.split('/')[2]?.replace(/s$/, '') ?? ''))];
const ofKind = new RegExp(`^(${kinds.join('|')})_?(id|uid|uuid|guid)$`);

/** Whether a field holds what a record refers to, and not the record: the lead of a booking. */
export const isOfOther = (name: string, noun: string): boolean =>
  name.toLowerCase() !== noun && kinds.includes(name.toLowerCase());

function rankOf(name: string, noun: string, ofNoun: RegExp): OwnId['rank'] | null {
  const plain = snake(name);
  if (called.test(plain) || ofNoun.test(plain)) {
    return 0;
  }
  if (ofKind.test(plain)) {
    return null;
  }
  const isSecret = plain === 'key' && secretOf.test(noun);
  return (likely.test(plain) || plain === noun) && !isSecret ? 1 : null;
}

/** An id as text. Some write one as an object: {"$oid": "…"}, {"value": "…", "type": "agent"}. */
function textOf(value: unknown): string | undefined {
  const [only, ...others] = isObject(value) ? Object.values(value) : [value];
  const plain = others.length === 0 ? only : (value as JsonObject).value;
  return (typeof plain === 'string' && plain !== '') || typeof plain === 'number' ? String(plain) : undefined;
}

/** What a record is called, as a pattern: the document says API key. */
const wordFor = (noun: string): string => `(?:api[_-]?)?${noun}`;

/** Where records link to themselves, or have their path as their name: HAL, JSON:API, Hydra, OData, AIP. */
const selves = [
  '/_links/self/href',
  '/links/self/href',
  '/links/self',
  '/@id',
  '/@odata.id',
  '/self',
  '/href',
  '/name',
];

/** The id at the end of the link that a record has to itself: `/v1/agents/7`, `agents('7')`. */
function linkedId(record: JsonObject, noun: string): OwnId[] {
  const links = selves.map((pointer) => at(record, pointer)).filter((value) => typeof value === 'string');
  if (links.length === 0) {
    return [];
  }
  const end = new RegExp(`(?<![^/])${wordFor(noun)}s?(?:/|\\('?)([^/?#'()\\s]+)'?\\)?/?$`, 'i');
  const id = links.flatMap((link) => end.exec(link)?.[1] ?? [])[0];
  return id === undefined ? [] : [{ id: decoded(id), name: 'self', rank: 0 }];
}

/**
 * The ids of the paths of records of its kind that stand in other fields, or of URLs with the documented path: one may be its own, as
 * `resource_name` or `uri` is.
 */
function pathsIn(record: JsonObject, noun: string): OwnId[] {
  const path = new RegExp(
    `^(?:(?:https?://[^/?#\\s]+)(?:/[\\w-]+)*/v1/|(?:[\\w/-]*/)?)${wordFor(noun)}s/([^/?#\\s]+)$`,
    'i',
  );
  return Object.entries(record).flatMap(([name, value]): OwnId[] => {
    const id = typeof value === 'string' ? path.exec(value)?.[1] : undefined;
    return id === undefined ? [] : [{ id: decoded(id), name, rank: 1 }];
  });
}

/**
 * What the last row of a page calls its id, whatever it is a row of, likeliest first, and no other row has: one of these may be the
 * cursor.
 */
export function idsOfLast(rows: readonly JsonObject[]): readonly string[] {
  const [row = {}, ...others] = rows.toReversed();
  const isItsOwn = (name: string): boolean => others.every((other) => textOf(other[name]) !== textOf(row[name]));
  const idsIn = (names: RegExp): string[] =>
    Object.entries(row).flatMap(([name, value]) =>
      names.test(snake(name)) && isItsOwn(name) ? (textOf(value) ?? []) : [],
    );
  const ids = [...idsIn(called), ...linkedId(row, '\\w+').map(({ id }) => id), ...idsIn(likely)];
  return [...new Set(ids)].slice(0, mostIdsOfLast);
}
const mostIdsOfLast = 2;

/** The ids among a record's own fields, likeliest first. The noun (`key`, `agent`) tells them from those of what it refers to. */
export function ownIds(record: JsonObject, noun: string): OwnId[] {
  // `created_by_key_id` is that of another.
  const ofNoun = new RegExp(`^${wordFor(noun)}_?(id|uid|uuid|guid)$`);
  const linked = [...linkedId(record, noun), ...pathsIn(record, noun)];
  const named = Object.entries(record).flatMap(([name, value]): OwnId[] => {
    const [rank, id] = [rankOf(name, noun, ofNoun), textOf(value)];
    // An id may hold slashes, as Rails' global ids do; what links lead to is none, nor what stands beside one that tells the id.
    const isPath = id?.includes('/') === true;
    const isTold = linked.some((one) => one.rank === 0 || one.name !== name) || /^(https?:\/)?\//.test(id ?? '');
    if (rank === null || id === undefined || (isPath && isTold)) {
      return [];
    }
    // Calls may take a path whole, or the id at its end.
    return [{ id, name, rank: isPath && linked.length > 0 ? 1 : rank }];
  });
  // What a link ends with is what paths take.
  // `sid` comes before `account_sid`.
  const names = named.map(({ name }) => snake(name));
  const isQualified = ({ name }: OwnId): number => Number(names.some((other) => snake(name).endsWith(`_${other}`)));
  const all = [...linked, ...named].sort((a, b) => a.rank - b.rank || isQualified(a) - isQualified(b));
  return all.filter(({ id }, index) => all.findIndex((one) => one.id === id) === index);
}
