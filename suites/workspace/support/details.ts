import { Skipped } from '../../../results/stop.ts';
import { resultOrNull } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import { mainKey } from '../../session/keys.ts';
import { idIn, rowsIn } from '../../session/record.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { nounOf } from '../../shared/collections.ts';
import { firstView, read } from '../../shared/reads.ts';
import { readUntil } from '../../shared/sighting.ts';
import { assertCreated } from './create.ts';
import { agentDeleted, agentsDeletionIsJudged } from './deletions.ts';
import { listing, type Readable, reading } from './kinds.ts';
import { mainRecord } from './main-record.ts';

/** The detail view of a record. */
export interface Details {
  readonly id: string;
  /** The words that stand in it; null: it is not the run's. */
  readonly tag: string | null;
  readonly answer: Answer;
}

/** Reads the detail view of the main record. */
export const details = stepFor(
  (kind: Readable) => kind,
  async (session, kind): Promise<Details> => {
    const record = await readable(session, kind);
    const seen =
      kind === 'agents' && agentsDeletionIsJudged(session) ? await resultOrNull(agentDeleted(session)) : null;
    // That the agent is still there was just read.
    if (seen?.other.id === record.id) {
      return { ...record, answer: seen.kept };
    }
    const first = await firstView(session, reading(kind), record.id, mainKey(session));
    const view = (): Promise<Answer> => send(session, reading(kind), { id: record.id });
    return {
      ...record,
      answer: first.status === 404 ? await readUntil(session, view, ({ status }) => status !== 404) : first,
    };
  },
);

/** A record to read: the run's own, or, where nothing may be written, the first that is listed. */
async function readable(session: Session, kind: Readable): Promise<Omit<Details, 'answer'>> {
  try {
    const { id, tag } = assertCreated(await mainRecord(session, kind));
    return { id, tag };
  } catch (error) {
    if (!(error instanceof Skipped)) {
      throw error;
    }
    const noun = nounOf(kind);
    const page = await read(session, listing(kind));
    const id = page.unredacted(({ json }) => idIn(rowsIn(json, noun)?.[0], noun));
    if (id === undefined) {
      const message = `${error.message} (and no ${noun} is listed that could be read)`;
      throw new Skipped(message, error.finding.needs);
    }
    return { id, tag: null };
  }
}
