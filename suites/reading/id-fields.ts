import { at, isObject, isScalar, type JsonObject, scalarText, walk } from '../../common/json.ts';
import { decoded } from '../../common/uri.ts';
import { snakeCase } from '../../common/words.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';

// Which values of a record may be its id. An id stands in a field that is called so, or at the end of the record's link
// to itself.

/** A field of a record that holds an id. */
interface IdField {
  readonly id: string;
  readonly name: string;
}

/** Twilio says sid, Asana gid. */
const idName = /^[@_$]?(id|uid|uuid|guid|sid|gid)$/;
const uidName = /^(uid|uuid|guid)$/;
/** Fields with a record's link to itself: HAL, JSON:API, Hydra, OData, AIP, Google Ads, Calendly, Django REST framework. */
const linkName = /^(@id|@odata\.id|self|href|uri|url)$|(^|_)name$/;
const selfLinks = ['/_links/self/href', '/links/self/href', '/links/self'] as const;
/** Most fields of one object that are read: no record has more. */
const mostFields = 200;
/** The longest link that is read. */
const longestLink = 2_048;

/** `agent`, `lead`: the records of the workspace API refer to each other. */
const kinds = [...new Set(workspaceEndpoints.map(({ path }) => path.split('/')[2]?.replace(/s$/, '') ?? ''))];
const idOfKind = new RegExp(`^(${kinds.join('|')})_?(id|uid|uuid|guid)$`);
/** Names that mean an id of the record in some products: Amadeus's reference, and `subscription_id`. */
const otherNames = /(^|_)(id|uid|uuid|guid|sid|gid|ref|reference|identifier|handle|code)$/;

/** Whether a field of that name may hold the id of its record, and not that of another kind: the user can say so (BODIES). */
export const mayHoldId = (name: string): boolean => otherNames.test(snake(name)) && !idOfKind.test(snake(name));

const snake = (name: string): string => (/[A-Z-]/.test(name) ? snakeCase(name).replaceAll('-', '_') : name);

/** How documents name and link the records of one kind. */
interface KindPatterns {
  /** Names of the field with the record's id. Anchored: `created_by_key_id` is the id of another key. */
  readonly idName: RegExp;
  /** The end of a record's link to itself: `/v1/agents/7`, `agents('7')`. */
  readonly link: RegExp;
}

const patternsFor = (noun: string): KindPatterns => ({
  // The document says API key.
  idName: new RegExp(`^(?:api_?)?${noun}_?(id|uid|uuid|guid)$`),
  link: new RegExp(`(?<![^/])(?:api[_-]?)?${noun}s(?:/|\\('?)([^/?#'()\\s]+)'?\\)?/?$`, 'i'),
});

/** The patterns of the kinds of which the run makes most records: they are asked for with each row of each list. */
const compiled = new Map([...kinds, 'key'].map((noun) => [noun, patternsFor(noun)]));

/** An id as text. MongoDB writes one as an object: {"$oid": "…"}. */
function textOf(value: unknown): string | undefined {
  const [only, ...others] = isObject(value) ? Object.values(value) : [value];
  return isScalar(only) && only !== '' && others.length === 0 ? String(only) : undefined;
}

/**
 * The ids in a record's own fields, likeliest first: `id`, `agent_id`, a link. The noun (`key`, `agent`) keeps out the ids
 * of other kinds.
 */
export function idFields(record: JsonObject, noun: string): IdField[] {
  const patterns = compiled.get(noun) ?? patternsFor(noun);
  const idInLink = (text: string): string | undefined =>
    text.length > longestLink ? undefined : patterns.link.exec(text)?.[1];
  const fields = Object.entries(record).slice(0, mostFields);
  const own = fields.flatMap(([name, value]): IdField[] => {
    const [plain, text] = [snake(name), textOf(value)];
    const isId = idName.test(plain) || patterns.idName.test(plain);
    // The URL of a webhook is its receiver's.
    const isLink = isId || (linkName.test(plain) && !(plain === 'url' && noun === 'webhook'));
    const linked = isLink ? idInLink(text ?? '') : undefined;
    if (linked !== undefined) {
      return [{ id: decoded(linked), name }];
    }
    return isId && text !== undefined ? [{ id: text, name }] : [];
  });
  const links = selfLinks.flatMap((pointer) => idInLink(scalarText(at(record, pointer)) ?? '') ?? []).map(decoded);
  const linked = links.slice(0, 1).map((id) => ({ id, name: 'self' }));
  // Calls take the id at the end of the record's own path, whatever uid is beside it (AIP-148).
  const paths = new Set(own.flatMap(({ name, id }) => (linkName.test(snake(name)) ? [id] : [])));
  const isBesidePath = ({ name, id }: IdField): boolean =>
    uidName.test(snake(name)) && paths.size > 0 && !paths.has(id);
  const all = [...linked, ...own.filter((one) => !isBesidePath(one))];
  return all.filter(({ id }, index) => all.findIndex((one) => one.id === id) === index);
}

/** Whether a value is an id, or a path that ends with it. */
export function holdsId(value: unknown, id: string): boolean {
  const text = scalarText(value);
  return text === id || (text?.endsWith(`/${id}`) ?? false);
}

/** Whether an id is anywhere in a document. */
export const showsId = (json: unknown, id: string): boolean => walk(json).some(({ value }) => holdsId(value, id));
