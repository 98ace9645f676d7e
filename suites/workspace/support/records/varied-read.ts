import { type Answer, isSuccess } from '../../../session/answer.ts';
import { mainKey } from '../../../session/keys.ts';
import { rowsIn } from '../../../session/reading/rows.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { whenDone } from '../deletions/when-done.ts';
import { listing } from '../kinds.ts';

/** A parameter that is surely none: what it gets, unknown names get. */
export const noFilter = 'conformance_nothing';
/** A value that fits no lead. */
export const noValue = 'conformance-none';
/** Names of filters that are rarely honoured, those that are less rarely first. */
export const rareFilters = ['email', 'search', 'q', 'filter[status]', 'filter[source]'] as const;

/** A list that was asked for in many ways at once. */
interface Varied {
  readonly answer: Answer;
  /** Parameters that are known to be ignored: it shows a lead beside them. */
  readonly ignored: readonly string[];
}

/**
 * The list of leads, asked for in all ways at once that the documents leave open or that clients vary: the header's name in
 * lower case, no content type, a page of one, unknown parameters. Where it succeeds, and shows a lead, each of them is taken, and
 * a call of its own would show no more. Where one of the parameters is a filter, once more without the likeliest.
 */
export const variedRead = step(async (session): Promise<Varied> => {
  await whenDone(session, 'leads');
  const first = await readBeside(session, [noFilter, ...rareFilters]);
  const isFiltered = isSuccess(first.answer) && first.ignored.length === 0;
  return isFiltered ? readBeside(session, [noFilter, ...rareFilters.slice(3)]) : first;
});

async function readBeside(session: Session, names: readonly string[]): Promise<Varied> {
  const answer = await send(session, listing('leads'), {
    headers: { Authorization: '', authorization: `Bearer ${mainKey(session).secret}`, 'Content-Type': '' },
    query: { limit: 1, ...Object.fromEntries(names.map((name) => [name, noValue])) },
    purpose: 'off-document',
  });
  return { answer, ignored: isSuccess(answer) && leadsIn(answer) > 0 ? names : [] };
}

/** How many leads an answer shows. */
export const leadsIn = ({ json }: Answer): number => rowsIn(json, 'lead')?.length ?? 0;
