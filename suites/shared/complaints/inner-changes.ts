import { isObject } from '../../../common/json.ts';
import {
  type Change,
  changesOfFields,
  isSame,
  type ListChange,
  type RefusedBody,
  unaskedChanges,
} from './body-changes.ts';
import { complaintAbout } from './complaint.ts';
import { allowedValues } from './complaint-sentences.ts';
import { type InnerField, isIndex, valueAt } from './inner-fields.ts';
import { tellingName } from './likely-values.ts';
import { respelling } from './name-spelling.ts';

/** The changes of a body after a refusal that names these fields: of its fields, and inside its objects and lists. */
export function changesFor(named: readonly string[], refused: RefusedBody): Change[] {
  const { inner } = refused.complaint;
  const example = nextSpelling(named, refused);
  if (example !== undefined) {
    return [{ spelledLike: example }];
  }
  const within = inner.flatMap((one) => changesAt(one, refused)).filter(isFirstOfItsKind);
  // What a refusal says of a field inside another one is not about a field of the body.
  const isInner = (name: string): boolean =>
    inner.some(({ path, says }) => path.includes(name) || allowedValues(says).includes(name));
  // A field that was set in the body in vain is refused there, even if another field now holds one of that name.
  const isSetInVain = (name: string): boolean =>
    refused.complaint.isUnknown(name) && refused.earlier.some((change) => 'set' in change && change.set === name);
  const ofBody = within.length === 0 ? named : named.filter((name) => !isInner(name) || isSetInVain(name));
  const changes = [...within, ...changesOfFields(ofBody, refused)];
  return changes.length > 0 ? changes : unaskedChanges(ofBody, refused);
}

/**
 * The name whose spelling all names of the body should take; undefined: they stay as they are. They are respelled as
 * the refusal has them, once: a deployment that then misses another spelling mixes them. One whose refusals have capitals
 * and still miss what was sent takes `agentName` for its `AgentName`.
 */
function nextSpelling(named: readonly string[], { complaint, fields, earlier }: RefusedBody): string | undefined {
  const examples = earlier.flatMap((change) => ('spelledLike' in change ? change.spelledLike : []));
  const [example] = examples;
  if (example === undefined) {
    return respelling(named, fields);
  }
  const isInner = (name: string): boolean => complaint.inner.some(({ path }) => path.includes(name));
  const isMissed = (name: string): boolean =>
    name in fields && !isInner(name) && /required|missing/i.test(complaint.textAbout(name));
  const missed = examples.length === 1 && /^[A-Z]/.test(example) ? named.find(isMissed) : undefined;
  return missed === undefined ? undefined : missed.charAt(0).toLowerCase() + missed.slice(1);
}

/** Whether no earlier change is the same. Members of a list change alike, so complaints about each count once. */
const isFirstOfItsKind = (change: Change, index: number, all: readonly Change[]): boolean =>
  all.findIndex((one) => isSame(one, change)) === index;

/** The changes that a complaint about an inner field asks for. */
function changesAt(inner: InnerField, refused: RefusedBody): Change[] {
  const { path, says } = inner;
  const holderPath = path.slice(0, -1);
  const leaf = path.at(-1) as string;
  const holder = valueAt(refused.fields, holderPath);
  const names = holderPath.filter((part) => !isIndex(part));
  if (Array.isArray(holder)) {
    return isIndex(leaf) ? changesOfMember(names, holder[Number(leaf)], inner, refused).map(inside(names)) : [];
  }
  const complaint = complaintAbout(leaf, says);
  const earlier = refused.earlier.flatMap((change) => innermost(change, names));
  const like = tellingName(leaf, names.at(-1), refused.valuesOf);
  const valuesOf: RefusedBody['valuesOf'] = (field, words) => refused.valuesOf(field === leaf ? like : field, words);
  return changesOfFields([leaf], { ...refused, complaint, valuesOf, fields: isObject(holder) ? holder : {}, earlier })
    .map((change) => ('form' in change && like !== leaf ? { ...change, like } : change))
    .map(inside(names));
}

/** The changes for a refused member: its list keeps the allowed values, or gets other members, or loses this one. */
function changesOfMember(
  names: readonly string[],
  member: unknown,
  { says }: InnerField,
  { earlier, valuesOf }: RefusedBody,
): ListChange[] {
  const allowed = allowedValues(says);
  if (allowed.length > 0) {
    return [{ only: allowed }];
  }
  const members = (names.at(-1) as string).replace(/s$/, '');
  const tried = earlier.flatMap((change) => innermost(change, names)).filter((change) => 'members' in change).length;
  const form = valuesOf(members, says).findIndex((value, index) => index >= tried && !isSame(value, member));
  return form === -1 ? [{ without: member }] : [{ members, form, says }];
}

/** Makes a change of the body from a change of the value at the end of these names. */
const inside =
  (names: readonly string[]) =>
  (change: Change | ListChange): Change =>
    names.reduceRight<Change | ListChange>((inner, within) => ({ within, change: inner }), change) as Change;

/** The change that a change of the body makes of the value at the end of these names; none: it changes another one. */
function innermost(change: Change | ListChange, [name, ...rest]: readonly string[]): (Change & ListChange)[] {
  if (name === undefined) {
    return [change as Change & ListChange];
  }
  return 'within' in change && change.within === name ? innermost(change.change, rest) : [];
}
