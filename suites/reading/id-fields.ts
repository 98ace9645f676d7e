import { isObject, type JsonObject, member, pointerNames } from '../../common/json.ts';
import { decoded } from '../../common/uri.ts';
import { snakeCase } from '../../common/words.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';

/** A field of a record that holds an id: surely the record's own, or possibly. */
interface IdField {
  readonly id: string;
  /** The name of the field; `self` where a link to the record ends with the id. */
  readonly name: string;
  /**
   * The field is called the record's id (`id`, `agent_id`), or links to the record. `reference` or `channel_id` only
   * may be its id.
   */
  readonly isNamed: boolean;
}

const idName = /^[@_$]?(id|uid|uuid|guid)$/;
const possibleName =
  /(^|_)(id|uid|uuid|guid|ref|reference|identifier|handle|sid|oid|gid)$|^(identity|code|slug|urn|pk|number|no|key)$/;
const uidName = /^(uid|uuid|guid)$/;
/** Most fields of one object that are read: no record has more. */
const mostFields = 200;
/** The longest link or path that is read. */
const longestLink = 2_048;

const fieldsOf = (record: JsonObject): [string, unknown][] => Object.entries(record).slice(0, mostFields);

const secretName = /(^|_)secret$/;

/** Whether a text in a field `key` is the secret: of a key always, of a webhook unless another field is called its secret. */
const isSecretKey = (record: JsonObject, noun: string, text: string): boolean =>
  noun === 'key' ||
  (noun === 'webhook' && !fieldsOf(record).some(([name, value]) => secretName.test(snake(name)) && value !== text));

const snake = (name: string): string => (/[A-Z-]/.test(name) ? snakeCase(name).replaceAll('-', '_') : name);

/** `agent`, `lead`: the records of the workspace API refer to each other. */
const kinds = [...new Set(workspaceEndpoints.map(({ path }) => path.split('/')[2]?.replace(/s$/, '') ?? ''))];
const idOfKind = new RegExp(`^(${kinds.join('|')})_?(id|uid|uuid|guid)$`);

/** Whether a field holds a record of another kind that this one refers to: the lead of a booking. */
export const isOtherKind = (name: string, noun: string): boolean =>
  name.toLowerCase() !== noun && kinds.includes(name.toLowerCase());

/** How documents name and link the records of one kind. */
interface KindPatterns {
  /** Names of the field with the record's id. Anchored: `created_by_key_id` is the id of another key. */
  readonly idName: RegExp;
  /** The end of a record's link to itself: `/v1/agents/7`, `agents('7')`. */
  readonly link: RegExp;
  /** A whole path to a record. */
  readonly path: RegExp;
}

function patternsFor(noun: string): KindPatterns {
  // The document says API key.
  const word = `(?:api[_-]?)?${noun}`;
  return {
    idName: new RegExp(`^${word}_?(id|uid|uuid|guid)$`),
    link: new RegExp(`(?<![^/])${word}s?(?:/|\\('?)([^/?#'()\\s]+)'?\\)?/?$`, 'i'),
    path: new RegExp(
      `^(?:https?://[^/?#\\s]+(?:/[\\w-]+)*/v1/(?:[\\w-]+/)*|(?:[\\w/-]*/)?)${word}s/([^/?#\\s]+)/?$`,
      'i',
    ),
  };
}

/** The patterns of the kinds of which the run makes most records: they are asked for with each row of each list. */
const compiled = new Map([...kinds, 'key'].map((noun) => [noun, patternsFor(noun)]));

const patternsOf = (noun: string): KindPatterns => compiled.get(noun) ?? patternsFor(noun);

/**
 * Whether a field, its name in snake case, is called the record's id (true), may hold it (false), or holds something
 * else (null).
 */
function isNamedId(plain: string, noun: string, idOfNoun: RegExp, isSecret: boolean): boolean | null {
  if (idName.test(plain) || idOfNoun.test(plain)) {
    return true;
  }
  if (idOfKind.test(plain)) {
    return null;
  }
  return (possibleName.test(plain) || plain === noun) && !isSecret ? false : null;
}

/** An id as text. Some deployments write an id as an object: {"$oid": "…"}, {"value": "…", "type": "agent"}. */
function textOf(value: unknown): string | undefined {
  const [only, ...others] = isObject(value) ? Object.values(value) : [value];
  const plain = others.length === 0 ? only : (value as JsonObject).value;
  return (typeof plain === 'string' && plain !== '') || typeof plain === 'number' ? String(plain) : undefined;
}

/** Where records link to themselves, or have their path as their name: HAL, JSON:API, Hydra, OData, AIP. */
const selfLinks = [
  '/_links/self/href',
  '/links/self/href',
  '/links/self',
  '/@id',
  '/@odata.id',
  '/self',
  '/href',
  '/name',
].map(pointerNames);

const isLink = (value: unknown): value is string => typeof value === 'string' && value.length <= longestLink;

/** The id at the end of a record's link to itself: `/v1/agents/7`, `agents('7')`. */
function linkedId(record: JsonObject, { link: end }: KindPatterns): IdField[] {
  const links = selfLinks.map((names) => names.reduce<unknown>(member, record)).filter(isLink);
  const id = links.flatMap((link) => end.exec(link)?.[1] ?? [])[0];
  return id === undefined ? [] : [{ id: decoded(id), name: 'self', isNamed: true }];
}

/**
 * The ids at the ends of paths to records of the kind, in any field: `resource_name` or `uri` may be the record's own
 * path.
 */
function idsOfPaths(record: JsonObject, { path }: KindPatterns): IdField[] {
  return fieldsOf(record).flatMap(([name, value]): IdField[] => {
    const id = isLink(value) ? path.exec(value)?.[1] : undefined;
    return id === undefined ? [] : [{ id: decoded(id), name, isNamed: false }];
  });
}

/** The ids in a record's own fields, likeliest first. The noun (`key`, `agent`) keeps out the ids of other kinds. */
export function idFields(record: JsonObject, noun: string): IdField[] {
  const patterns = patternsOf(noun);
  const linked = [...linkedId(record, patterns), ...idsOfPaths(record, patterns)];
  const named = fieldsOf(record).flatMap(([name, value]): IdField[] => {
    const plain = snake(name);
    const isSecret = plain === 'key' && typeof value === 'string' && isSecretKey(record, noun, value);
    const [isNamed, id] = [isNamedId(plain, noun, patterns.idName, isSecret), textOf(value)];
    if (isNamed === null || id === undefined) {
      return [];
    }
    // An id may hold slashes, as the global ids of Rails do, and a field called id may hold a URL. Elsewhere a link is no
    // id, nor is a path beside the field that has the id at its end.
    const isPath = id.includes('/');
    const isLinkOnly = /^\//.test(id) || (/^https?:/.test(id) && !/^id$/i.test(name));
    const hasOther = linked.some((one) => one.isNamed || one.name !== name) || isLinkOnly;
    // Calls take the id at the end of the record's own path, whatever uid is beside it (AIP-148).
    const isBesidePath = uidName.test(plain) && linked.some((one) => one.isNamed && one.id !== id);
    // Paths may take this whole, or the id at its end.
    return isPath && hasOther
      ? []
      : [{ id, name, isNamed: isNamed && !isBesidePath && !(isPath && linked.length > 0) }];
  });
  const names = named.map(({ name }) => snake(name));
  // `sid` comes before `account_sid`.
  const isQualified = ({ name }: IdField): number => Number(names.some((other) => snake(name).endsWith(`_${other}`)));
  const all = [...linked, ...named].sort(
    (a, b) => Number(b.isNamed) - Number(a.isNamed) || isQualified(a) - isQualified(b),
  );
  return all.filter(({ id }, index) => all.findIndex((one) => one.id === id) === index);
}
