import { show } from '../../../common/schema.ts';
import { counted } from '../../../common/words.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import type { Tally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import type { Check } from '../../engine/check.ts';
import { expectAccepted, expectStatus, findingOn } from '../../engine/expect.ts';
import type { Answer, ApiKey } from '../../session/call.ts';
import { type Session, send } from '../../session/session.ts';
import { inBothEnvironments } from '../environments.ts';
import { mainEnvironment } from '../keys/making.ts';
import { bookings, type Filter, windowsAround } from './documented.ts';
import { type Entry, has, isSame, isUncut, type ListSets, type Part, readPart, readSets, unchanged } from './lists.ts';

/**
 * A filter selects: each condition is accepted, yields no record that does not match it, and every matching record of
 * the whole list; and no record matches two values of a vocabulary.
 */
export const filterSelects = (filter: Filter): Check =>
  inBothEnvironments(filter.list.endpoint, (session, tally, key) => judgeFilter(session, tally, key, filter));

/** A check: the export accepts from and to in every spelling, together and alone, and yields no other bookings. */
export const windowsSelect: Check = inBothEnvironments(bookings.endpoint, async (session, tally, key) => {
  const { entries } = await readPart(session, bookings, { key });
  const rows = entries.map(({ row }) => row);
  await judgeFilter(session, tally, key, windowsAround(rows, session.clock.now()));
  for (const from of key.environment === mainEnvironment(session) ? openForms : []) {
    const answer = await send(session, bookings.endpoint, { key, query: { from }, purpose: 'off-document' });
    const what = `An export from ${from}, a form of ISO 8601 that the document leaves open,`;
    tally.judge(answer.status >= 500 ? expectStatus(answer, [200, 400], what, 'The value is not checked') : null);
  }
});

/** A day, and a time without a zone: either may be refused, and neither may break the export. */
const openForms = ['2026-03-02', '2026-03-02T09:00:00'];

/** Judges a filter in one environment. */
async function judgeFilter(session: Session, tally: Tally, key: ApiKey, filter: Filter): Promise<void> {
  const sets = await readSets(session, filter.list, filter.conditions, { key });
  const { whole, parts } = sets;
  for (const { condition, answer } of parts.filter((part) => !part.answer.accepted && !part.condition.isLoose)) {
    // A status that the list gets without a filter too is judged by its own clause.
    if (whole.answer.accepted || whole.answer.status !== answer.status) {
      tally.judge(expectAccepted(answer, `${condition.label} was rejected`));
    }
  }
  const found = parts.filter(({ pointer }) => pointer !== undefined);
  const shows = (entry: Entry): boolean => parts.some(({ condition }) => condition.matches(entry) !== 'unknown');
  const isTold = parts.some(({ entries }) => entries.some(({ hasId }) => hasId));
  if (found.length === 0 || !(isTold || [whole, ...parts].some(({ entries }) => entries.some(shows)))) {
    tally.leaveOpen(nothingToCompare(filter, sets, key));
    return;
  }
  const judge = (read: ListSets) => troublesOf(read, filter.isVocabulary);
  tally.judge(...(await lastingTroubles(session, key, { ...sets, parts: found }, judge)));
}

/** What is wrong for KEY_SETTLE_MS, among the records that did not change while all was read again. */
export async function lastingTroubles(
  session: Session,
  key: ApiKey,
  sets: ListSets,
  judge: (sets: ListSets) => (Finding | null)[],
): Promise<(Finding | null)[]> {
  const found = judge(sets);
  if (found.every((finding) => finding === null)) {
    return found;
  }
  await session.clock.sleep(session.settings.KEY_SETTLE_MS);
  const fresh = { key, isFresh: true };
  const conditions = sets.parts.map(({ condition }) => condition);
  const again = await readSets(session, sets.list, conditions, fresh);
  return judge(unchanged(again, await readPart(session, sets.list, { ...fresh, pointer: again.whole.pointer })));
}

/** What is wrong with the records under each condition; null: nothing. `areApart`: no record matches two of them. */
export const troublesOf = ({ list: { noun }, whole, parts }: ListSets, areApart: boolean): (Finding | null)[] =>
  parts.map((part, index) => {
    const { condition, entries, answer, pointer } = part;
    const trouble = (what: string, [first]: readonly Entry[], cause = condition.cause): Finding =>
      findingOn(first !== undefined && entries.includes(first) ? first.answer : answer, {
        message: `${condition.label}${isInQuery(answer) ? ', with the key in the query,' : ''} ${what}`,
        expected: condition.expected,
        actual: first !== undefined && !entries.includes(first) ? `without ${show(first.row)}` : show(first?.row),
        place: `/data${pointer}`,
        ...(cause === undefined ? {} : { cause }),
      });
    const strays = entries.filter((entry) => condition.matches(entry) === false);
    if (strays.length > 0) {
      return trouble(`returned ${counted(strays.length, noun)} that should not match`, strays);
    }
    // Records without ids may look alike: they count only where each value yields the whole list.
    const isIn = (entry: Entry) => (one: Part) => has(one, entry) || [one, part].every((each) => isSame(each, whole));
    const twice = areApart ? entries.filter((entry) => parts.slice(0, index).some(isIn(entry))) : [];
    if (twice.length > 0) {
      const isSame = twice.length === entries.length;
      const cause = isSame ? 'The parameter is ignored: all values return the same list' : undefined;
      return trouble(`returned ${counted(twice.length, noun)} that another value returned too`, twice, cause);
    }
    const showsAll = pointer !== undefined && isUncut(part, whole) && !(condition.isLoose && entries.length > 0);
    const came = new Set(entries.map(({ id }) => id));
    const lost = whole.entries.filter((entry) => condition.matches(entry) === true && !came.has(entry.id));
    return showsAll && lost.length > 0
      ? trouble(`omits ${counted(lost.length, noun)} that the whole list shows`, lost)
      : null;
  });

const isInQuery = ({ exchange }: Answer): boolean => /[?&]api_key=/.test(exchange.request.url);

/** Which clause keeps a filter from showing, if any: that of the list, or of seeding, which fills some lists. */
function nothingToCompare({ list, parameter }: Filter, { whole, parts }: ListSets, key: ApiKey): Finding {
  const { endpoint } = list;
  const found = parts.filter(({ pointer }) => pointer !== undefined);
  const areEmpty = found.length > 0 && found.every(({ entries }) => entries.length === 0);
  const isListAtFault = !whole.answer.accepted || (found.length === 0 && whole.pointer !== undefined);
  const isSeedAtFault = areEmpty && key.environment !== 'live' && /campaigns|bookings/.test(endpoint);
  const why = areEmpty
    ? 'all of them are empty'
    : found.length === 0
      ? 'none is found'
      : `no id and no ${parameter} is shown`;
  return findingOn(whole.answer, {
    message: `${endpoint} by ${parameter} has no lists of records in which a filter would show: ${why}`,
    advice: 'Run against a deployment that lists records, as objects, with different values',
    ...(isListAtFault ? { blames: endpointOf(endpoint).clause } : {}),
    ...(isSeedAtFault ? { blames: 'developer.sandbox.data' } : {}),
  });
}
