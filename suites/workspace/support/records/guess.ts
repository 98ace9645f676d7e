import { eventSpelled } from '../../../../fixtures/event-names.ts';
import { slotPlans } from '../../../../fixtures/slots.ts';
import {
  type Body,
  type BodyContext,
  type Kind,
  plausibleBodies,
  plausibleValues,
} from '../../../../fixtures/workspace-bodies.ts';
import type { Answer } from '../../../session/answer.ts';
import { nounOf } from '../../../shared/collections.ts';
import { type Change, changed, type RefusedBody } from '../../../shared/complaints/body-changes.ts';
import { complaintOf } from '../../../shared/complaints/complaint.ts';
import { changesFor } from '../../../shared/complaints/inner-changes.ts';

/** A field that holds all others of a body, as the only one of a list where `isList`. */
export interface Wrap {
  readonly name: string;
  readonly isList: boolean;
}

export const wrapped = (fields: Body, wrap: Wrap | null): Body =>
  wrap === null ? fields : { [wrap.name]: wrap.isList ? [fields] : fields };

/** How a body is built that a deployment may take: one of the plausible ones, changed as its answers asked. */
export interface Recipe {
  readonly variant: number;
  /** The one field that holds everything else; null: none does. */
  readonly wrap: Wrap | null;
  readonly changes: readonly Change[];
  /** Which of the plans for the time of a booking. */
  readonly plan: number;
}

export const firstRecipe: Recipe = { variant: 0, wrap: null, changes: [], plan: 0 };

/** The body of a recipe, without and with its wrapper. */
export function bodyOf(kind: Kind, recipe: Recipe, context: BodyContext): { fields: Body; body: Body } {
  const fields = changed(
    plausibleBodies(kind, context)[recipe.variant] ?? {},
    recipe.changes,
    valuesWith(kind, context),
  );
  return { fields, body: wrapped(fields, recipe.wrap) };
}

/** Names under which APIs take all fields of a record. */
const container = /^(data|attributes|properties|fields|record|resource|item|payload)$/i;

/** The recipes to try after a refusal, likeliest first: what its words ask for, then the next plausible body. */
export function revisions(
  kind: Kind,
  recipe: Recipe,
  context: BodyContext,
  answer: Pick<Answer, 'json' | 'text'>,
): readonly Recipe[] {
  const { fields } = bodyOf(kind, recipe, context);
  const complaint = complaintOf(answer, fields);
  const isWrapper = (name: string): boolean => name === nounOf(kind) || container.test(name);
  const wrap =
    recipe.wrap === null
      ? (complaint.fields.find((name) => isWrapper(name) && fields[name] === undefined) ?? null)
      : null;
  const changesOf = (names: readonly string[]): Change[] =>
    changesFor(names, { complaint, fields, earlier: recipe.changes, valuesOf: valuesWith(kind, context) }).flatMap(
      (change) => forEvents(kind, change, { fields, complaint }),
    );
  // What was not known in small letters may be in those of the refusal: one field tells of the others.
  const isCapital = recipe.changes.some((change) => 'set' in change && /^[A-Z]/.test(change.set));
  const spelled = (name: string): string =>
    isCapital || recipe.changes.some((change) => 'drop' in change && change.drop === name)
      ? complaint.spellingOf(name)
      : name;
  const changes = changesOf(complaint.fields.filter((name) => name !== wrap).map(spelled));
  // What the one field holds may have a field of its own for all but a type.
  const into = recipe.wrap === null ? undefined : complaint.fields.find((name) => isWrapper(name) && !(name in fields));
  const isLast = recipe.variant + 1 === plausibleBodies(kind, context).length;
  const next = isLast
    ? fewestEvents(kind, recipe)
    : [
        {
          ...recipe,
          variant: recipe.variant + 1,
          wrap: recipe.wrap ?? (wrap === nounOf(kind) ? plainWrap(wrap) : null),
          changes: [],
        },
      ];
  const asked: Recipe[] =
    into !== undefined
      ? [...listed(recipe, into), { ...recipe, changes: [...recipe.changes, { into }] }]
      : wrap === null && changes.length === 0
        ? []
        : [
            {
              ...recipe,
              wrap: wrap === null ? recipe.wrap : plainWrap(wrap),
              changes: [...recipe.changes, ...changes],
            },
          ];
  // A field of that name may stand beside the others just as well.
  const beside =
    wrap === null || wrap === nounOf(kind)
      ? []
      : [{ ...recipe, changes: [...recipe.changes, ...changesOf(complaint.fields)] }];
  const isUnsuited = kind === 'bookings' && complaint.isAboutTime && recipe.plan + 1 < slotPlans.length;
  const later = isUnsuited ? [{ ...recipe, plan: recipe.plan + 1 }] : [];
  // "start must be a future time" may ask for a field `start` that is missing, rather than for another time.
  const isMissing = changes.some((change) => 'set' in change && !(change.set in fields));
  return isMissing ? [...asked, ...beside, ...later, ...next] : [...later, ...asked, ...beside, ...next];
}

const plainWrap = (name: string): Wrap => ({ name, isList: false });

/** Where the field that holds all others is asked for again, it may hold a list. */
const listed = (recipe: Recipe, asked: string): Recipe[] =>
  recipe.wrap?.name === asked && !recipe.wrap.isList ? [{ ...recipe, wrap: { ...recipe.wrap, isList: true } }] : [];

/** A deployment may know some of the events alone, and not say so: those that the run causes are the least that it needs. */
const fewestEvents = (kind: Kind, recipe: Recipe): readonly Recipe[] =>
  kind === 'webhooks'
    ? [
        {
          ...recipe,
          variant: 1,
          changes: [{ within: 'events', change: { only: ['booking.created', 'booking.cancelled'] } }],
        },
      ]
    : [];

/** Whether a webhook asks for events by a field: its name says so, or what stands in it. */
export const asksForEvents = ([name, value]: readonly [string, unknown]): boolean =>
  /event|topic|subscription|trigger|types/i.test(name) || [value].flat().some(eventSpelled);

const valuesWith =
  (kind: Kind, context: BodyContext) =>
  (field: string, says?: string): readonly unknown[] =>
    plausibleValues(field, kind, context, says);

/** Which events are asked for is each registration's own matter, and said in one field. */
function forEvents(
  kind: Kind,
  change: Change,
  { fields, complaint }: Pick<RefusedBody, 'fields' | 'complaint'>,
): Change[] {
  if (kind !== 'webhooks' || !('set' in change)) {
    return [change];
  }
  const { set } = change;
  const value = 'value' in change ? change.value : undefined;
  const isTold = [value].flat().some(eventSpelled);
  if (!isTold && (set in fields || !asksForEvents([set, undefined]))) {
    return [change];
  }
  const others = Object.entries(fields).filter((entry) => entry[0] !== set && asksForEvents(entry));
  const asked: Change = isTold
    ? { set, form: Array.isArray(value) ? 0 : 1, like: 'events', says: complaint.textAbout(set) }
    : { set, form: 0 };
  return [...others.map(([drop]) => ({ drop })), asked];
}
