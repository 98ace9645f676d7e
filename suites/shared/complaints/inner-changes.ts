import { isObject } from '../../../common/json.ts';
import { type Change, changesOfFields, isSame, type ListChange, type Refused, unaskedChanges } from './body-changes.ts';
import { complaintAbout } from './complaint.ts';
import { allowedValues } from './complaint-sentences.ts';
import { type Inner, isIndex, valueAt } from './inner-fields.ts';

/** What to change in a body after a refusal that names these fields, and inside its objects, its lists and their members. */
export function changesFor(named: readonly string[], refused: Refused): Change[] {
  const { inner } = refused.complaint;
  const within = inner.flatMap((one) => changesAt(one, refused)).filter(isFirstOfItsKind);
  // What is said of a field inside another says nothing of the body's own.
  const isInner = (name: string): boolean =>
    inner.some(({ path, says }) => path.includes(name) || allowedValues(says).includes(name));
  // What did not do in the body itself, and stands inside another field by now, may be refused there.
  const isLeft = (name: string): boolean =>
    refused.complaint.isUnknown(name) && refused.earlier.some((change) => 'set' in change && change.set === name);
  const own = within.length === 0 ? named : named.filter((name) => !isInner(name) || isLeft(name));
  const changes = [...within, ...changesOfFields(own, refused)];
  return changes.length > 0 ? changes : unaskedChanges(own, refused);
}

/** Members of a list are made alike: what is said of each of them is changed once. */
const isFirstOfItsKind = (change: Change, index: number, all: readonly Change[]): boolean =>
  all.findIndex((one) => isSame(one, change)) === index;

function changesAt(inner: Inner, refused: Refused): Change[] {
  const { path, says } = inner;
  const [holder, leaf] = [path.slice(0, -1), path.at(-1) as string];
  const value = valueAt(refused.fields, holder);
  const around = holder.filter((part) => !isIndex(part));
  if (Array.isArray(value)) {
    return isIndex(leaf) ? changesOfMember(around, value[Number(leaf)], inner, refused).map(inside(around)) : [];
  }
  const complaint = complaintAbout(leaf, says);
  const earlier = refused.earlier.flatMap((change) => innermost(change, around));
  // What only frames a value says nothing of it: `{"lead": {"en-US": …}}` holds a lead.
  const like = frame.test(leaf) ? (around.at(-1) ?? leaf) : leaf;
  const valuesOf: Refused['valuesOf'] = (field, words) => refused.valuesOf(field === leaf ? like : field, words);
  return changesOfFields([leaf], { ...refused, complaint, valuesOf, fields: isObject(value) ? value : {}, earlier })
    .map((change) => ('form' in change && like !== leaf ? { ...change, like } : change))
    .map(inside(around));
}

/** Names of what a value is framed in: a locale, a type, or a word for any value. */
const frame = /^([a-z]{2}[-_][A-Z]{2}|en|id|ids|value|values|data|text|string)$/;

/** A member of a list: what may stand there is told, or it becomes another, or goes. */
function changesOfMember(
  around: readonly string[],
  member: unknown,
  { says }: Inner,
  { earlier, valuesOf }: Refused,
): ListChange[] {
  const allowed = allowedValues(says);
  if (allowed.length > 0) {
    return [{ only: allowed }];
  }
  const members = (around.at(-1) as string).replace(/s$/, '');
  const tried = earlier.flatMap((change) => innermost(change, around)).filter((change) => 'members' in change).length;
  const form = valuesOf(members, says).findIndex((value, index) => index >= tried && !isSame(value, member));
  return form === -1 ? [{ without: member }] : [{ members, form, says }];
}

/** A change of what stands at the end of these names. */
const inside =
  (names: readonly string[]) =>
  (change: Change | ListChange): Change =>
    names.reduceRight<Change | ListChange>((inner, within) => ({ within, change: inner }), change) as Change;

/** The change that it makes of what stands at the end of these names; none where it changes something else. */
function innermost(change: Change | ListChange, [name, ...rest]: readonly string[]): (Change & ListChange)[] {
  if (name === undefined) {
    return [change as Change & ListChange];
  }
  return 'within' in change && change.within === name ? innermost(change.change, rest) : [];
}
