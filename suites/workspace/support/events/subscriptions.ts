import { type Found, isObject, walk } from '../../../../common/json.ts';
import type { EventKind } from '../../../../contract/events.ts';
import { eventSpelled } from '../../../../fixtures/event-names.ts';
import type { Attempt } from '../records/create.ts';
import { asksForEvents } from '../records/recipes.ts';

/**
 * Whether a registration asks for an event. One that names no event counts as asking for every one, unless the field
 * for its events is empty: a deployment that takes this may send it none.
 */
export function subscribesTo(
  { attempt: { body } }: { readonly attempt: Pick<Attempt, 'body'> },
  kind: EventKind,
): boolean {
  const values = walk(body);
  const asked = values.flatMap(askedFor);
  const covers = (text: string): boolean =>
    eventSpelled(text) === kind || (text.endsWith('*') && kind.startsWith(text.slice(0, -1)));
  return asked.length === 0 ? !values.some(isEmptySelection) : asked.some(covers);
}

/** The events that a value asks for: by a name, by a pattern such as `booking.*`, or as a field that is switched on. */
const askedFor = ({ name, value }: Found): string[] => {
  if (typeof value === 'string' && (eventSpelled(value) !== undefined || /^([a-z]+[._:])?\*$/.test(value))) {
    return [value];
  }
  return eventSpelled(name) !== undefined && value !== false ? [name] : [];
};

const isEmptySelection = ({ name, value }: Found): boolean =>
  asksForEvents([name, value]) && (Array.isArray(value) || isObject(value)) && Object.keys(value).length === 0;
