import { renamed } from '../../common/exact-json.ts';
import type { Outcome } from '../../results/outcome.ts';
import { judgeEach, resultOrNull } from '../engine/parts.ts';
import { type DeletedId, type IdCall, type IdCalls, judgeUnknownIds } from '../records/unknown-ids.ts';
import { isSuccess } from '../session/answer.ts';
import type { Session } from '../session/session.ts';
import { storyOf } from './events/story.ts';
import { changing, deleting, type Kind, kinds, pathOf, type Readable, reading } from './kinds.ts';
import type { Change } from './life/changes.ts';
import { detailView } from './life/details.ts';
import { type Deletion, recordStory } from './life/story.ts';
import { reworded } from './records/run-records.ts';

/** Calls with an unknown id get 404: with the id of a deleted record, and with one that was never given out. */
export const judgeUnknownRecords = (session: Session): Promise<Outcome> =>
  judgeEach(kinds, async (tally, kind) => tally.add(await judgeUnknownIds(session, await idCalls(session, kind))));

async function idCalls(session: Session, kind: Kind): Promise<IdCalls> {
  const isReadable = kind === 'agents' || kind === 'leads';
  const reads = isReadable ? readAndChange(session, kind) : [];
  const deletes: readonly IdCall[] =
    kind === 'leads'
      ? []
      : [
          {
            endpoint: deleting(kind),
            deletedIsEnough: true,
            twin: async () => (await deletionOf(session, kind)).answer,
          },
        ];
  const deletion = await resultOrNull(deletionOf(session, kind));
  return {
    collection: pathOf(kind),
    real: isReadable ? (await detailView(session, kind)).id : (await deletionOf(session, kind)).record.id,
    // A deployment may keep cancelled bookings: their ids are not unknown.
    deleted: deletion === null || kind === 'bookings' ? null : deletedId(deletion),
    mayDeleteAgain: false,
    purpose: 'documented',
    calls: [...reads, ...deletes],
    ...(isReadable ? {} : { like: () => idCalls(session, 'leads') }),
  };
}

const deletionOf = async (session: Session, kind: Kind): Promise<Deletion> => (await storyOf(session, kind)).deletion();

/** The id of a deleted record, with the view that was read under it. */
const deletedId = ({ record, answer, later }: Deletion): DeletedId | null =>
  isSuccess(answer) ? { id: record.id, answer, ...(later === null ? {} : { later }) } : null;

/** The calls that read and change a record. */
function readAndChange(session: Session, kind: Readable): readonly IdCall[] {
  const change = async (): Promise<Change> => (await recordStory(session, kind)).change();
  return [
    { endpoint: reading(kind), twin: async () => (await detailView(session, kind)).answer },
    {
      endpoint: changing(kind),
      deletedIsEnough: true,
      twin: async () => (await change()).answer,
      // New words: a wrong effect of this call must not be taken for that of another change.
      body: async (id) => {
        const { body, record } = await change();
        // The body may have to name the id that is in the path.
        return renamed(reworded(session, { body, tag: record.tag }).body, [record.id, ...record.aliases], id);
      },
      headers: async () => (await change()).headers,
    },
  ];
}
