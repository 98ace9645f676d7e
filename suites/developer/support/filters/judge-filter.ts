import { endpointOf } from '../../../../contract/endpoints.ts';
import { createTally, type Tally } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import type { Check } from '../../../engine/check.ts';
import { expectAccepted, findingOn } from '../../../engine/expect.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { keysOfBothEnvironments } from '../data/environments.ts';
import { type Filter, type FilterLists, readFilterLists, shownValue } from './filter-lists.ts';
import { type Trouble, troublesInBoth, troublesOf } from './filter-troubles.ts';

/**
 * Judges a filter: each documented value is taken, no record stands in the lists of two values, records that show the
 * filtered field have the value that was asked for, and none of those in the unfiltered list is lost.
 */
export const filterSelects =
  (filter: Filter): Check =>
  async (session) => {
    const tally = createTally();
    const seen: unknown[] = [];
    for (const key of await keysOfBothEnvironments(session, filter.endpoint)) {
      const look = await readFilterLists(session, filter, key);
      await judgeLook(session, tally, key, look);
      seen.push(observedIn(look));
    }
    return tally.outcome(seen[0]);
  };

async function judgeLook(session: Session, tally: Tally, key: ApiKey, look: FilterLists): Promise<void> {
  const { filter, unfiltered } = look;
  for (const { value, answer } of look.filtered.filter((one) => !one.answer.accepted)) {
    // What the list gets without a filter too is the matter of its own clause.
    if (unfiltered.answer.accepted || unfiltered.answer.status !== answer.status) {
      tally.judge(expectAccepted(answer, `Documented value ${filter.name}=${value} is not accepted`));
    }
  }
  const found = look.filtered.filter(({ pointer }) => pointer !== undefined);
  const losesAll = unfiltered.entries.some(({ row }) => shownValue(row, filter) !== undefined);
  if (found.every((one) => one.entries.length === 0) && !losesAll) {
    tally.leaveOpen(nothingToCompare(look, key, found.length > 0));
    return;
  }
  const findings = await lastingTroubles(session, key, look);
  tally.judge(...(findings.length === 0 ? found.map(() => null) : findings));
}

/** Records move while a run goes on: what is wrong is looked at once more, after the time that effects may take. */
async function lastingTroubles(session: Session, key: ApiKey, look: FilterLists): Promise<Finding[]> {
  const troubles = troublesOf(look);
  if (troubles.length === 0) {
    return [];
  }
  await session.clock.sleep(session.settings.KEY_SETTLE_MS);
  const again: Trouble[] = troublesOf(await readFilterLists(session, look.filter, key, true));
  return troublesInBoth(troubles, again);
}

function observedIn({ filtered }: FilterLists): unknown {
  const full = filtered.find((one) => one.entries.length > 0);
  return full === undefined
    ? undefined
    : {
        list: `/data${full.pointer ?? ''}`,
        rows: Object.fromEntries(
          filtered.flatMap((one) => (one.pointer === undefined ? [] : [[one.value, one.entries.length]])),
        ),
      };
}

/** Seeding fills some of the lists (Sandbox, rule 1). */
const isSeeded = (endpoint: string): boolean => /campaigns|bookings/.test(endpoint);

const nothingToCompare = (
  { filter: { endpoint, name }, unfiltered }: FilterLists,
  { environment }: ApiKey,
  hasLists: boolean,
): Finding =>
  findingOn(unfiltered.answer, {
    message: hasLists
      ? `All lists of ${endpoint} by ${name} are empty`
      : `${endpoint} shows no list of objects that a filter could be seen in`,
    cause: 'Records with different values, shown as a list of objects, would decide it',
    ...(unfiltered.answer.accepted ? {} : { blames: endpointOf(endpoint).clause }),
    ...(hasLists && isSeeded(endpoint) && environment !== 'live' ? { blames: 'developer.sandbox.data' } : {}),
  });
