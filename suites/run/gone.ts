import type { FailureKind } from '../../results/exchange.ts';
import { resultOrNull } from '../engine/parts.ts';
import { send } from '../session/send.ts';
import type { TargetRun } from './target-run.ts';

const kinds: readonly (FailureKind | undefined)[] = ['refused', 'dns', 'tls', 'closed', 'reset'];
/** So many calls in a row that get no answer are no accident of one endpoint. */
const leastInRow = 3;

/**
 * What keeps a run from an outcome where its target has gone away meanwhile: its last calls got no connection, and one more gets
 * none either. null: it is there.
 */
export async function goneText({ target, opened: { session } }: TargetRun): Promise<string | null> {
  const ended = [...session.evidence.exchanges].sort((a, b) => a.receivedAt - b.receivedAt);
  const last = ended.slice(-leastInRow);
  const [probe] = session.api.probes;
  if (last.length < leastInRow || probe === undefined || !last.every(({ failure }) => kinds.includes(failure?.kind))) {
    return null;
  }
  const failure = (await resultOrNull(send(session, probe)))?.exchange.failure;
  return failure
    ? `${target.setting} stopped answering during the run (${failure.message}): start it and run it again`
    : null;
}
