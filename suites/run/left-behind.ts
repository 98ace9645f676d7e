import { commandOf } from '../../common/suite.ts';
import { counted, firstOf } from '../../common/words.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Environment } from '../../contract/scopes.ts';
import type { Cleaned } from '../records/clean-up.ts';
import { nounOf } from '../records/reads.ts';
import { isSuccess, type SentCall } from '../session/call.ts';
import type { Entry, Ledger } from '../session/ledger/ledger.ts';

/** Most records that one line names. */
const mostNamed = 20;

/** The ids of a record by which a report names it: the proven one, or else what the answer to its create calls ids. */
export const idsToName = ({ id, answeredIds = [] }: Entry): readonly string[] =>
  id === undefined ? answeredIds : [id];

/** A record of unknown id may be called something by the answer to its create: `"run-7" (answered as lead_7)`. */
const wordsOf = (entry: Entry): string => {
  const ids = idsToName(entry);
  return `"${entry.tag}"${ids.length > 0 ? ` (answered as ${ids.join(' or ')})` : ''}`;
};

/** Names the records of each kind that the API cannot delete: `2 leads that the API cannot delete: lead_7, lead_8`. */
export const namesOfUndeletable = (entries: readonly Entry[]): string[] =>
  [...Map.groupBy(entries, ({ collection }) => nounOf(collection))].map(
    ([noun, all]) =>
      `${counted(all.length, noun)} that the API cannot delete: ${firstOf(
        all.map((entry) => entry.id ?? wordsOf(entry)),
        mostNamed,
      )}`,
  );

const recordName = (entry: Entry): string =>
  entry.id === undefined ? `${wordsOf(entry)} in ${entry.collection}` : `${entry.collection}/${entry.id}`;

/** Lines on the records that a run could not delete, by reason, and on those that the API cannot delete. */
export function leftBehind(ledger: Ledger, cleaned: readonly Cleaned[]): string[] {
  const reasons = new Map(cleaned.map(({ entry, why }) => [entry.number, why]));
  const byReason = Map.groupBy(
    ledger.toDelete(),
    ({ number }) => reasons.get(number) ?? 'its deletion was not attempted',
  );
  return [
    ...[...byReason].map(
      ([why, entries]) =>
        `Not deleted (${why}): ${firstOf(entries.map(recordName), mostNamed)}. ${commandOf('cleanup')} tries again`,
    ),
    ...namesOfUndeletable(ledger.undeletable()).map((names) => `Left behind: ${names}`),
  ];
}

/** The module writes that took effect in an environment: the API cannot delete what they made. */
export const moduleWrites = (calls: readonly Told[], environment: Environment): readonly Endpoint[] =>
  calls
    .filter(({ call, status }) => call.key?.environment === environment && isSuccess({ status }))
    .flatMap(({ call: { endpoint } }) => endpoint ?? [])
    .filter(({ method, scope }) => method === 'POST' && scope !== null);

type Told = Pick<SentCall, 'call' | 'status'>;

/** A line on the module writes that took effect in live data. */
export function leftInLiveData(tag: string, calls: readonly Told[]): string[] {
  const byPath = Map.groupBy(moduleWrites(calls, 'live'), ({ path }) => path.replace('/api/v1/', ''));
  const counts = [...byPath].map(([path, { length }]) => `${path} (${length})`);
  return counts.length === 0
    ? []
    : [
        `Left in live data, because the API cannot delete them: records whose text contains "${tag}", created by POST to ${firstOf(counts, mostNamed)}`,
      ];
}
