import { looksRandom } from '../../../common/looks-random.ts';

/** No character of one checks the others. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Digests, and ids of databases. */
const hex = /^(?=.*[a-f].*[a-f])(?=.*\d.*\d)[0-9a-f]{24,}$/i;

/**
 * Whether an id is so long and so mixed that one which was made up like it is nobody's: no number, word or date, and none of
 * these with others behind them.
 */
export function isUnguessable(id: string): boolean {
  const last = /[A-Za-z0-9]*$/.exec(id)?.[0] ?? '';
  // URL-safe base64 has hyphens and underscores anywhere.
  return uuid.test(id) || hex.test(last) || looksRandom(last, 16) || looksRandom(id.replace(/[_-]/g, ''), 18, 0.4);
}
