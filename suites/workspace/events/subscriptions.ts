import { type Found, isObject, pointerNames, walk } from '../../../common/json.ts';
import type { EventKind } from '../../../contract/events.ts';
import type { Answer } from '../../session/answer.ts';
import type { Attempt } from '../records/create.ts';
import { asksForEvents, eventSpelled } from './event-names.ts';

/**
 * Whether a registration asks for an event. One that names no event counts as asking for every one, unless the field
 * for its events is empty: a deployment that takes this may send it none. A body may name events in several fields, of
 * which the deployment knows one: those that its answer shows, too, count more than the others.
 */
export function subscribesTo(
  {
    attempt: { body, answer },
  }: { readonly attempt: Pick<Attempt, 'body'> & { readonly answer: Pick<Answer, 'json'> } },
  kind: EventKind,
): boolean {
  const values = walk(body);
  const shown = new Set(walk(answer.json).map(fieldOf));
  const asking = values.filter((found) => askedFor(found).length > 0);
  const known = asking.filter((found) => shown.has(fieldOf(found)));
  const asked = (known.length > 0 ? known : asking).flatMap(askedFor);
  const covers = (text: string): boolean =>
    eventSpelled(text) === kind || (text.endsWith('*') && kind.startsWith(text.slice(0, -1)));
  return asked.length === 0 ? !values.some(isEmptySelection) : asked.some(covers);
}

/** The name of the field in which a value is, itself or in a list. */
const fieldOf = ({ pointer }: Found): string | undefined =>
  pointerNames(pointer).findLast((name) => !/^\d+$/.test(name));

/** The events that a value asks for: by a name, by a pattern such as `booking.*`, or as a field that is switched on. */
const askedFor = ({ name, value }: Found): string[] => {
  if (typeof value === 'string' && (eventSpelled(value) !== undefined || /^([a-z]+[._:])?\*$/.test(value))) {
    return [value];
  }
  return eventSpelled(name) !== undefined && value !== false ? [name] : [];
};

const isEmptySelection = ({ name, value }: Found): boolean =>
  asksForEvents([name, value]) && (Array.isArray(value) || isObject(value)) && Object.keys(value).length === 0;
