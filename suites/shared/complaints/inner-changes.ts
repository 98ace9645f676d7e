import { isObject } from '../../../common/json.ts';
import {
  type Change,
  changesOfFields,
  isRuledOut,
  isSame,
  isSet,
  type ListChange,
  type RefusedBody,
} from './body-changes.ts';
import { allowedValues, complaintAbout, type InnerField } from './complaint.ts';
import { isIndex, valueAt } from './field-path.ts';
import { tellingName } from './likely-values.ts';
import { respelling } from './name-spelling.ts';

/**
 * The changes of a body after a refusal that names these fields: of its fields, and inside its objects and lists. Where
 * nothing came of what was tried for them, other names follow that the refusal may mean.
 */
export function changesFor(named: readonly string[], refused: RefusedBody): Change[] {
  const example = nextSpelling(named, refused);
  if (example !== undefined) {
    return [{ spelledLike: example }];
  }
  const likely = named.filter((name) => !isRuledOut(name, refused));
  const changes = changesOfNamed(likely, refused);
  const isGivenUp = (change: Change): boolean => 'drop' in change && isSet(change.drop, refused.earlier);
  const others = refused.complaint.others.filter((name) => !isRuledOut(name, refused));
  return changes.every(isGivenUp) ? [...changes, ...changesOfFields(others, refused)] : changes;
}

function changesOfNamed(named: readonly string[], refused: RefusedBody): Change[] {
  const { complaint, fields, earlier } = refused;
  const within = complaint.inner.flatMap((one) => changesAt(one, refused)).filter(isFirstOfItsKind);
  // What a refusal says of a field inside another one is not about a field of the body.
  const isInner = (name: string): boolean => complaint.inner.some(({ path }) => path.includes(name));
  // A field that was set in the body in vain is refused there, even if another field now holds one of that name.
  const isSetInVain = (name: string): boolean => complaint.isUnknown(name) && isSet(name, earlier);
  const ofBody = within.length === 0 ? named : named.filter((name) => !isInner(name) || isSetInVain(name));
  const changes = [...within, ...changesOfFields(ofBody, refused)];
  const isRemoval = changes.some((change) => 'drop' in change || 'within' in change);
  // If fields are unknown and none is named, those that no refusal asked for may be.
  const unasked = complaint.hasUnknown && !isRemoval ? Object.keys(fields).filter((name) => !isSet(name, earlier)) : [];
  return [...unasked.map((name) => ({ drop: name })), ...changes];
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
  const isMissed = (name: string): boolean => name in fields && !isInner(name) && complaint.isLacking(name);
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
