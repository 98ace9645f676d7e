import type { Endpoint } from '../../../contract/endpoint.ts';
import type { Outcome } from '../../../results/outcome.ts';
import { judgeEach } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import type { ArrangedCall, Difference } from '../../session/api.ts';
import type { Session } from '../../session/session.ts';
import { judgeRefusal } from './refusals.ts';

/** A body that no call accepts. */
export interface OddBody {
  /** Its name in findings: `A body that is not JSON`. */
  readonly what: string;
  readonly reshape: NonNullable<Difference['reshape']>;
}

/** The accepted body, cut off before its last brace. */
export const cutOff: OddBody = {
  what: 'A body that is not JSON',
  reshape: (body) => JSON.stringify(body).slice(0, -1),
};
export const bodyNull: OddBody = { what: 'A null body', reshape: () => 'null' };

/** Judges that bodies which no call accepts get 400. `send`: sends a call in another way, such as with another key. */
export const judgeOddBodies = (
  session: Session,
  endpoints: readonly Endpoint[],
  bodiesFor: (index: number) => readonly OddBody[],
  send = (call: ArrangedCall, difference: Difference): Promise<Answer> => call.send(difference),
): Promise<Outcome> =>
  judgeEach(endpoints, async (tally, endpoint, index) => {
    const call = await session.api.arrange(session, endpoint, 'a broken body');
    for (const { what, reshape } of bodiesFor(index)) {
      const probe = await send(call, { purpose: 'off-document', reshape });
      judgeRefusal(tally, { probe, twin: await call.twin(), endpoint, status: 400, what });
    }
  });
