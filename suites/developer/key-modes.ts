import { accepted, cameOf } from '../engine/expect.ts';
import { callOf } from '../session/call.ts';
import type { KeyMode } from '../session/key.ts';
import type { Session } from '../session/session.ts';
import { endpoint, mainKey } from './calls.ts';
import { workingRead } from './lifecycle.ts';

/** Which undocumented ways of sending a key open a documented read (Authentication 6 states two more than it shows). */
export async function keyModes(session: Session): Promise<Record<string, string>> {
  const target = endpoint(await workingRead(session));
  const modes: readonly KeyMode[] = ['bearer', 'basic', 'cookie'];
  const answers = await Promise.all(
    modes.map(async (mode) => {
      const answer = await session.client.send(callOf(target, mainKey(session), { mode, purpose: 'off-document' }));
      return [mode, accepted(answer) ? 'accepted' : `refused: ${cameOf(answer)}`] as const;
    }),
  );
  return Object.fromEntries(answers);
}
