import { slotPlans } from '../../../fixtures/slots.ts';
import {
  type Body,
  type BodyContext,
  hasForm,
  type Kind,
  plausibleBodies,
  plausibleValue,
} from '../../../fixtures/workspace-bodies.ts';
import type { Answer } from '../../session/answer.ts';
import { nounOf } from '../../shared/collections.ts';
import { type Complaint, complaintOf } from './complaint.ts';

/** How a body is built that a deployment may take: one of the plausible ones, changed as its answers asked. */
export interface Recipe {
  readonly variant: number;
  /** The name of the one field that holds everything else; null: none does. */
  readonly wrap: string | null;
  readonly changes: readonly Change[];
  /** Which of the plans for the time of a booking. */
  readonly plan: number;
}

type Change =
  | { readonly drop: string }
  | { readonly set: string; readonly form: number }
  | { readonly set: string; readonly value: unknown };

export const firstRecipe: Recipe = { variant: 0, wrap: null, changes: [], plan: 0 };

/** The body of a recipe, without and with its wrapper. */
export function bodyOf(kind: Kind, recipe: Recipe, context: BodyContext): { fields: Body; body: Body } {
  const fields = { ...plausibleBodies(kind, context)[recipe.variant] };
  for (const change of recipe.changes) {
    if ('drop' in change) {
      delete fields[change.drop];
    } else {
      fields[change.set] = 'form' in change ? plausibleValue(change.set, kind, context, change.form) : change.value;
    }
  }
  return { fields, body: recipe.wrap === null ? fields : { [recipe.wrap]: fields } };
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
  const complaint = complaintOf(answer);
  const { fields } = bodyOf(kind, recipe, context);
  const isWrapper = (name: string): boolean => name === nounOf(kind) || container.test(name);
  const wrap =
    recipe.wrap === null
      ? (complaint.fields.find((name) => isWrapper(name) && fields[name] === undefined) ?? null)
      : null;
  const changesOf = (names: readonly string[]): Change[] =>
    names.flatMap((name) => changeOf(name, kind, context, { complaint, fields, recipe }));
  const changes = changesOf(complaint.fields.filter((name) => name !== wrap));
  const next =
    recipe.variant + 1 < plausibleBodies(kind, context).length
      ? [
          {
            ...recipe,
            variant: recipe.variant + 1,
            wrap: recipe.wrap ?? (wrap === nounOf(kind) ? wrap : null),
            changes: [],
          },
        ]
      : [];
  const asked =
    wrap === null && changes.length === 0
      ? []
      : [{ ...recipe, wrap: wrap ?? recipe.wrap, changes: [...recipe.changes, ...changes] }];
  // A field of that name may stand beside the others just as well.
  const beside =
    wrap === null || wrap === nounOf(kind)
      ? []
      : [{ ...recipe, changes: [...recipe.changes, ...changesOf(complaint.fields)] }];
  const isUnsuited = kind === 'bookings' && complaint.ofTime && recipe.plan + 1 < slotPlans.length;
  const later = isUnsuited ? [{ ...recipe, plan: recipe.plan + 1 }] : [];
  // What is not there cannot be unsuited: "start must be a future time" may ask for a field of that name.
  const isMissing = changes.some((change) => 'set' in change && !(change.set in fields));
  return isMissing ? [...asked, ...beside, ...later, ...next] : [...later, ...asked, ...beside, ...next];
}

/** Whether a webhook asks for events by a field of that name. */
export const asksForEvents = (name: string): boolean => /event|topic|subscription|trigger|types/i.test(name);

function changeOf(
  name: string,
  kind: Kind,
  context: BodyContext,
  state: { complaint: Complaint; fields: Body; recipe: Recipe },
): Change[] {
  const { complaint, fields, recipe } = state;
  const allowed = complaint.allowed.get(name);
  if (!(name in fields)) {
    const likely = plausibleValue(name, kind, context);
    if (complaint.unknown || (allowed ?? likely) === undefined) {
      return [];
    }
    // Which events are asked for is each registration's own matter, and said in one field.
    if (kind === 'webhooks' && asksForEvents(name) && likely !== undefined) {
      return [
        ...Object.keys(fields)
          .filter(asksForEvents)
          .map((other) => ({ drop: other })),
        { set: name, form: 0 },
      ];
    }
    return [allowed === undefined ? { set: name, form: 0 } : { set: name, value: allowed }];
  }
  if (complaint.unknown) {
    return [{ drop: name }];
  }
  if (allowed !== undefined && allowed !== fields[name]) {
    return [{ set: name, value: allowed }];
  }
  const tried = recipe.changes.filter((change) => 'form' in change && change.set === name).length;
  return hasForm(name, kind, context, tried + 1) ? [{ set: name, form: tried + 1 }] : [{ drop: name }];
}
