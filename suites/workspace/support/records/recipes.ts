import { isObject, type JsonObject } from '../../../../common/json.ts';
import { eventSpelled } from '../../../../fixtures/event-names.ts';
import { isCommaList } from '../../../../fixtures/fitting-values.ts';
import { slotPlans } from '../../../../fixtures/slots.ts';
import {
  type Body,
  type BodyContext,
  type Kind,
  plausibleBodies,
  plausibleValues,
} from '../../../../fixtures/workspace-bodies.ts';

import { nounOf } from '../../../shared/collections.ts';
import { type Change, changed, isSet } from '../../../shared/complaints/body-changes.ts';
import { type Complaint, complaintOf } from '../../../shared/complaints/complaint.ts';
import { changesFor } from '../../../shared/complaints/inner-changes.ts';
import type { ValuesOf } from '../../../shared/complaints/likely-values.ts';
import type { RefusedAnswer } from '../../../shared/complaints/refusal.ts';
import { filled, shownNames, shownRecord } from '../../../shared/complaints/shown-values.ts';
import { isWrapperName, plainWrapper, type Wrapper, wrapped } from '../../../shared/complaints/wrapper.ts';

/** How a body is built: from one of the plausible bodies of its kind, with the changes that refusals asked for. */
export interface Recipe {
  /** The number of the plausible body. */
  readonly variant: number;
  /** null: no field contains the others. */
  readonly wrapper: Wrapper | null;
  readonly changes: readonly Change[];
  /** The number of the plan for the times of bookings. */
  readonly plan: number;
}

export const firstRecipe: Recipe = { variant: 0, wrapper: null, changes: [], plan: 0 };

/** The body of a recipe: its fields, and with their wrapper. */
export function bodyOf(kind: Kind, recipe: Recipe, context: BodyContext): { fields: Body; body: Body } {
  const plausible = plausibleBodies(kind, context)[recipe.variant] ?? {};
  const fields = changed(plausible, recipe.changes, valuesWith(kind, context));
  const own = kind === 'webhooks' ? (ownUrls(fields, context) as Body) : fields;
  return { fields: own, body: wrapped(own, recipe.wrapper) };
}

/**
 * A part of a webhook's body with the run's receiver in place of every other URL: a refusal may give somebody's URL as
 * an example, and nobody else may be sent the workspace's events.
 */
function ownUrls(value: unknown, context: Pick<BodyContext, 'url'>): unknown {
  if (typeof value === 'string') {
    return isUrl(value) ? (context.url ?? value) : value;
  }
  if (Array.isArray(value)) {
    return value.map((member) => ownUrls(member, context));
  }
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, ownUrls(each, context)]))
    : value;
}

export const isUrl = (value: unknown): boolean => typeof value === 'string' && /^\s*[a-z][a-z\d+.-]*:\/\//i.test(value);

/** What is known when a body was refused. */
interface Refusal {
  readonly context: BodyContext;
  readonly answer: RefusedAnswer;
  /** The fields that were sent, with the ids of records. Default: those of the recipe. */
  readonly sent?: Body;
  /** Rows of records of the kind, as the list shows them. */
  readonly rows?: readonly JsonObject[];
}

/** The recipes to try after a refusal, likeliest first: what its words ask for, then the next plausible body. */
export function revisions(
  kind: Kind,
  recipe: Recipe,
  { context, answer, sent, rows = [] }: Refusal,
): readonly Recipe[] {
  const valuesOf = valuesWith(kind, context);
  const { fields } = bodyOf(kind, recipe, context);
  const complaint = complaintOf(answer, sent ?? fields, { shown: shownNames(rows), wrapper: recipe.wrapper?.name });
  const missingWrapper =
    recipe.wrapper === null
      ? complaint.fields.find((name) => isWrapperName(nounOf(kind), name) && fields[name] === undefined)
      : undefined;
  const changesOf = (names: readonly string[]): Change[] =>
    changesFor(names, { complaint, fields, earlier: recipe.changes, valuesOf, rows }).flatMap((change) =>
      forEvents(kind, change, { fields, complaint, valuesOf }),
    );
  const changes = changesOf(
    complaint.fields.filter((name) => name !== missingWrapper).map((name) => spelling(name, recipe, complaint)),
  );
  const asked = [
    ...besideWrapper(recipe, complaint, fields),
    ...askedRecipes(kind, recipe, { complaint, fields, missingWrapper, changes }),
  ];
  // A field named like a wrapper may be beside the others just as well.
  const isPlausibleField = missingWrapper !== undefined && missingWrapper !== nounOf(kind);
  const unwrapped = isPlausibleField
    ? [{ ...recipe, changes: [...recipe.changes, ...changesOf(complaint.fields)] }]
    : [];
  const isTimeRefused = kind === 'bookings' && complaint.isAboutTime && recipe.plan + 1 < slotPlans.length;
  const otherTime = isTimeRefused ? [{ ...recipe, plan: recipe.plan + 1 }] : [];
  const next = nextVariant(kind, recipe, missingWrapper, { context, rows });
  // "start must be a future time" may ask for a field `start` that is missing, rather than for another time.
  const addsField = changes.some((change) => 'set' in change && !(change.set in fields));
  return addsField ? [...asked, ...unwrapped, ...otherTime, ...next] : [...otherTime, ...asked, ...unwrapped, ...next];
}

/** A field's name: as the refusal spells it, where it was unknown before. */
const spelling = (name: string, { changes }: Recipe, complaint: Complaint): string =>
  changes.some((change) => 'drop' in change && change.drop === name) ? complaint.spellingOf(name) : name;

/** A refusal of a body, and what it asks for. */
interface Asked {
  readonly complaint: Complaint;
  readonly fields: Body;
  /** A field that it asks for, and that may contain the others. */
  readonly missingWrapper: string | undefined;
  readonly changes: readonly Change[];
}

/** The recipes that do what a refusal asks for. */
function askedRecipes(
  kind: Kind,
  recipe: Recipe,
  { complaint, fields, missingWrapper, changes }: Asked,
): readonly Recipe[] {
  if (recipe.wrapper !== null) {
    // Within the wrapper, a field may contain all but a type.
    const named = [...complaint.fields, ...complaint.withinWrapper];
    const isTried = (name: string): boolean =>
      recipe.changes.some((change) => 'into' in change && change.into === name);
    const into = named.find((name) => isWrapperName(nounOf(kind), name) && !(name in fields) && !isTried(name));
    if (into !== undefined) {
      return [...asList(recipe, into), { ...recipe, changes: [...recipe.changes, { into }] }];
    }
  }
  if (missingWrapper === undefined && changes.length === 0) {
    return [];
  }
  const wrapper = missingWrapper === undefined ? recipe.wrapper : plainWrapper(missingWrapper);
  return [{ ...recipe, wrapper, changes: [...recipe.changes, ...changes] }];
}

/**
 * A field that a refusal asked for, and that is refused or missed all the same within the wrapper, may be beside it.
 */
function besideWrapper({ wrapper, ...recipe }: Recipe, complaint: Complaint, fields: Body): readonly Recipe[] {
  const isMissed = (name: string): boolean => complaint.isUnknown(name) || complaint.isLacking(name);
  const name = complaint.fields.find((one) => one in fields && isSet(one, recipe.changes) && isMissed(one));
  return wrapper === null || name === undefined || wrapper.beside.includes(name)
    ? []
    : [{ ...recipe, wrapper: { ...wrapper, beside: [...wrapper.beside, name] } }];
}

/** A wrapper that is asked for although it is there may have to be a list. */
const asList = (recipe: Recipe, asked: string): readonly Recipe[] =>
  recipe.wrapper?.name === asked && !recipe.wrapper.isList
    ? [{ ...recipe, wrapper: { ...recipe.wrapper, isList: true } }]
    : [];

/**
 * The next plausible body. After the last one: of a webhook, the one that asks for the fewest events; of another record,
 * the first one with all that the list shows of such records, and that alone.
 */
function nextVariant(
  kind: Kind,
  recipe: Recipe,
  missingWrapper: string | undefined,
  { context, rows = [] }: Pick<Refusal, 'context' | 'rows'>,
): readonly Recipe[] {
  const variant = recipe.variant + 1;
  const count = plausibleBodies(kind, context).length;
  if (variant >= count) {
    const shown = [...shownRecord({ rows, valuesOf: valuesWith(kind, context) })];
    const changes = shown.map(([set, template]): Change => ({ set, shown: template }));
    const asShown = [0, count].map((base): Recipe => ({ ...recipe, variant: base, changes }));
    return kind === 'webhooks' ? [{ ...recipe, variant: 1, changes: [fewestEvents] }] : shown.length > 0 ? asShown : [];
  }
  const askedWrapper = missingWrapper === nounOf(kind) ? plainWrapper(missingWrapper) : null;
  return [{ ...recipe, variant, wrapper: recipe.wrapper ?? askedWrapper, changes: [] }];
}

/** A deployment may know only some of the events, and not say so: the run needs those that it causes. */
const fewestEvents: Change = { within: 'events', change: { only: ['booking.created', 'booking.cancelled'] } };

/** Whether a field of a webhook asks for events: its name says so, or what it contains. */
export const asksForEvents = ([name, value]: readonly [string, unknown]): boolean =>
  /event|topic|subscription|trigger|types/i.test(name) || [value].flat().some(eventSpelled);

const valuesWith =
  (kind: Kind, context: BodyContext) =>
  (field: string, says?: string): readonly unknown[] => {
    const values = plausibleValues(field, kind, context, says);
    return kind === 'webhooks' ? [...new Set(values.map((value) => ownUrls(value, context)))] : values;
  };

/** The changes that set a webhook's field. One field alone asks for events, for those that the registration chose. */
function forEvents(
  kind: Kind,
  change: Change,
  { fields, complaint, valuesOf }: Pick<Asked, 'fields' | 'complaint'> & { readonly valuesOf: ValuesOf },
): Change[] {
  if (kind !== 'webhooks' || !('set' in change)) {
    return [change];
  }
  const { set } = change;
  const value = 'value' in change ? change.value : 'shown' in change ? filled(change.shown, valuesOf) : undefined;
  const isEventGiven = [value].flat().some(eventSpelled);
  if (!isEventGiven && (set in fields || !asksForEvents([set, undefined]))) {
    return [change];
  }
  const others = Object.entries(fields).filter((entry) => entry[0] !== set && asksForEvents(entry));
  const says = complaint.textAbout(set);
  const isForAll = Array.isArray(value) || isCommaList.test(says);
  const asked: Change = isEventGiven ? { set, form: isForAll ? 0 : 1, like: 'events', says } : { set, form: 0 };
  return [...others.map(([drop]) => ({ drop })), asked];
}
