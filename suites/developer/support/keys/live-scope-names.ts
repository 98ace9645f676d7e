import { type Scope, scopes } from '../../../../contract/scopes.ts';
import type { Tally } from '../../../../results/outcome.ts';
import { expectAccepted, undecided } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import { refusesBody } from '../../../records/bodies.ts';
import type { Session } from '../../../session/session.ts';
import { mainEnvironment } from './key-makers.ts';
import { liveKey } from './lasting-keys.ts';
import { scopeNames, tryScope } from './scope-names.ts';

/**
 * Judges that the scope names that are accepted for keys of the main key's environment are accepted for live ones, too.
 * Where a live key with all of them can be made, they are; otherwise each is tried beside those accepted together.
 * Throws Skipped where no live key may be made, Inconclusive where none can.
 */
export async function judgeLiveNames(session: Session, tally: Tally): Promise<void> {
  if (mainEnvironment(session) === 'live' || (await resultOrNull(liveKey(session))) !== null) {
    return;
  }
  const { accepted: names } = await scopeNames(session);
  const accepted: Scope[] = [];
  const together: Scope[] = [];
  for (const scope of scopes.filter((one) => names.includes(one))) {
    const { answer, isBesideOthers } = await tryScope(session, scope, { accepted, together }, 'live');
    if (isBesideOthers) {
      together.push(scope);
    }
    if (answer.accepted) {
      accepted.push(scope);
    } else if (!refusesBody(answer) || !(await isStillAccepted(session, accepted[0]))) {
      throw undecided(answer, 'Cannot judge the scope names of live keys', 'developer.keys.create');
    } else {
      tally.judge(expectAccepted(answer, `Scope name ${scope} was rejected when creating a live key`));
    }
  }
}

/** Whether a scope that was accepted is so again: otherwise the account may be full by now, since other checks make keys. */
const isStillAccepted = async (session: Session, scope: Scope | undefined): Promise<boolean> =>
  scope !== undefined && (await tryScope(session, scope, { accepted: [], together: [] }, 'live')).answer.accepted;
