import { type JsonObject, parseJson, walk } from '../../../common/json.ts';
import { unescapedAlphanumeric } from '../../../common/words.ts';
import { standsIn } from '../../reading/own-words.ts';
import type { Session } from '../../session/session.ts';

/** The words of a create. */
interface Sent {
  readonly collection: string;
  readonly tag: string;
}

/**
 * Whether a row shows the words of a create, and only as it sent them, in any spelling. Somebody's copy of a record may
 * have its words with an addition.
 */
export function isAsSent(session: Session, row: JsonObject, sent: Sent): boolean {
  const shown = shownTexts(session, row, sent);
  return shown.length > 0 && shown.every(({ isSent }) => isSent);
}

/** Whether a row has a text with the words of a create as it was sent, in any spelling, among others. */
export const hasTextSent = (session: Session, row: JsonObject, sent: Sent): boolean =>
  shownTexts(session, row, sent).some(({ isSent }) => isSent);

/** The texts of a row with the words of a create. Few rows have any: what was sent is read for those alone. */
function shownTexts(session: Session, row: JsonObject, sent: Sent): readonly { readonly isSent: boolean }[] {
  const shown = textsWith(row, sent.tag);
  if (shown.length === 0) {
    return [];
  }
  const texts = textsSent(session, sent);
  return shown.map((text) => ({ isSent: texts.has(unescapedAlphanumeric(text)) }));
}

const textsSent = ({ evidence }: Session, { collection, tag }: Sent): ReadonlySet<string> =>
  new Set(
    evidence.exchanges
      .filter(({ endpoint }) => endpoint === `POST ${collection}`)
      .flatMap(({ request }) => textsWith(parseJson(request.body ?? ''), tag))
      .map(unescapedAlphanumeric),
  );

const textsWith = (json: unknown, words: string): readonly string[] =>
  walk(json).flatMap(({ value }) => (typeof value === 'string' && standsIn(value, words) ? [value] : []));
