import { firstOf } from '../../common/words.ts';
import type { Exchange } from '../../results/exchange.ts';
import { isPlainText, mayBreakOnText } from './bodies.ts';

/** A write that a deployment refuses for the text of its body alone. */
interface RefusedText {
  /** `POST /v1/agents`. */
  readonly call: string;
  /** The refused exchanges, by their numbers. */
  readonly refused: ReadonlySet<number>;
  readonly status: number;
}

/** The writes that failed with text as people write it, and were accepted with the same key in plain letters. */
export function refusedTexts(exchanges: readonly Exchange[]): readonly RefusedText[] {
  const writes = exchanges.filter(
    ({ request, purpose, endpoint }) => request.method === 'POST' && purpose === 'documented' && endpoint !== null,
  );
  const byCall = Map.groupBy(writes, ({ endpoint, keyLabel }) => `${endpoint} ${keyLabel}`);
  return [...byCall.values()].flatMap((group) => {
    const isPlain = ({ request }: Exchange): boolean => isPlainText(request.body ?? '');
    const isAccepted = ({ response }: Exchange): boolean => (response?.status ?? 600) < 300;
    // A 400 may be due to a field that the plain body does not have.
    const refused = group.filter((one) => !isPlain(one) && mayBreakOnText(one));
    const [first] = refused;
    const isRefusedAlways = refused.length === group.filter((one) => !isPlain(one)).length;
    return first !== undefined && isRefusedAlways && group.some((one) => isPlain(one) && isAccepted(one))
      ? [{ call: first.endpoint ?? '', refused: new Set(refused.map(({ number }) => number)), status: response(first) }]
      : [];
  });
}

const response = (exchange: Exchange): number => exchange.response?.status ?? 0;

/** What the text of a body did. */
export const textCause =
  'The text of the body: the same call in plain letters, without emoji, quotes, < and &, was accepted';

/** A line on the texts that a deployment refuses; none where it takes them. */
export function refusedTextNotes(exchanges: readonly Exchange[]): string[] {
  const found = refusedTexts(exchanges).map(({ call, status }) => `${call} (${status === 0 ? 'no answer' : status})`);
  const names = firstOf([...new Set(found)], 6);
  return found.length === 0
    ? []
    : [
        `Text as people write it (emoji, letters outside ASCII, quotes, <, &) is refused, and plain text is taken: ${names}`,
      ];
}
