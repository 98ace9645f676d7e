import { type JsonObject, parseJson, walk } from '../../../common/json.ts';
import { standsIn } from '../../session/reading/own-words.ts';
import type { Session } from '../../session/session.ts';

/**
 * Whether a row shows the words of a create, and as it sent them. Somebody's copy of a record may have its words with an
 * addition.
 */
export function isAsSent(
  { evidence }: Session,
  row: JsonObject,
  { collection, tag }: { readonly collection: string; readonly tag: string },
): boolean {
  const bodies = evidence.exchanges
    .filter(({ endpoint }) => endpoint === `POST ${collection}`)
    .map(({ request }) => parseJson(request.body ?? ''));
  const sent = new Set(bodies.flatMap((body) => textsWith(body, tag)));
  const shown = textsWith(row, tag);
  return shown.length > 0 && shown.every((text) => sent.has(text));
}

const textsWith = (json: unknown, words: string): readonly string[] =>
  walk(json).flatMap(({ value }) => (typeof value === 'string' && standsIn(value, words) ? [value] : []));
