import { settle } from '../../engine/parts.ts';
import { rowsIn } from '../../reading/rows.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import { mainKey } from '../../session/keys.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { listing } from '../kinds.ts';
import { recordStory } from './story.ts';

/** A parameter that is surely no filter: what it gets, unknown names get. */
export const noFilter = 'conformance_nothing';
/** A value that fits no lead. */
export const noValue = 'conformance-none';
/** Names of filters that deployments seldom know, ordered from those known more often to those known less often. */
export const rareFilters = ['email', 'search', 'q', 'filter[status]', 'filter[source]'] as const;

/** The answer to the varied read. */
interface VariedRead {
  readonly answer: Answer;
  /** Parameters that are known to be ignored, since the answer shows a lead in spite of them. */
  readonly ignored: readonly string[];
}

/**
 * Reads the list of leads with everything at once that the document leaves open and clients do differently: the
 * header's name in lower case, no content type, a page of one, unknown parameters. Where this succeeds and shows a
 * lead, each of them is accepted, and no call for each is needed. Where no lead is shown, one of the parameters is a
 * filter: it is read once more without the likeliest.
 */
export const variedRead = step(async (session): Promise<VariedRead> => {
  await settle(recordStory(session, 'leads'));
  const first = await readWithParameters(session, [noFilter, ...rareFilters]);
  const isFiltered = isSuccess(first.answer) && first.ignored.length === 0;
  return isFiltered ? readWithParameters(session, [noFilter, ...rareFilters.slice(3)]) : first;
});

async function readWithParameters(session: Session, names: readonly string[]): Promise<VariedRead> {
  const answer = await send(session, listing('leads'), {
    headers: { Authorization: '', authorization: `Bearer ${mainKey(session).secret}`, 'Content-Type': '' },
    query: { limit: 1, ...Object.fromEntries(names.map((name) => [name, noValue])) },
    purpose: 'off-document',
  });
  return { answer, ignored: isSuccess(answer) && leadCount(answer) > 0 ? names : [] };
}

/** How many leads an answer shows. */
export const leadCount = ({ json }: Answer): number => rowsIn(json, 'lead')?.length ?? 0;
