import type { Tally } from '../../../results/outcome.ts';
import type { ArrangedCall, Difference } from '../../session/api.ts';
import { judgeRefusal } from './refusals.ts';

/** A body that no call accepts. */
export interface OddBody {
  /** Its name in findings: `A body that is not JSON`. */
  readonly what: string;
  readonly reshape: NonNullable<Difference['reshape']>;
  /** Default: off-document, since no rule of the documents holds for what answers a text that is no JSON. */
  readonly purpose?: 'refusal';
}

/** The accepted body, cut off before its last brace. */
export const cutOff: OddBody = {
  what: 'A body that is not JSON',
  reshape: (body) => JSON.stringify(body).slice(0, -1),
};
export const bodyNull: OddBody = { what: 'A null body', reshape: () => 'null' };

/** Judges that bodies which no call accepts get 400 beside the accepted call; `how` follows their names in findings. */
export async function judgeOddBodies(
  tally: Tally,
  { endpoint, send, twin }: ArrangedCall,
  bodies: readonly OddBody[],
  how = '',
): Promise<void> {
  for (const { what, reshape, purpose = 'off-document' } of bodies) {
    const probe = await send({ purpose, reshape });
    judgeRefusal(tally, { probe, twin: await twin(), endpoint, status: 400, what: `${what}${how}` });
  }
}
