import { at, isObject, parseJson } from '../../common/json.ts';
import { counted, firstOf, show } from '../../common/words.ts';
import { type Exchange, headerOf } from '../../results/exchange.ts';
import { quoteIfOutside } from '../../results/likely-cause.ts';
import type { Check } from '../engine/check.ts';
import { callName } from '../engine/expect.ts';
import { isUnread, judgeAll, type Rule } from '../engine/judge-responses.ts';
import { isPlainText, mayBreakOnText } from '../records/bodies.ts';
import type { Answered, Evidence } from '../session/evidence/evidence.ts';

/** Whether a response is to a call that the document shows, and not to one of the suite's own probes. */
export const isDocumented = ({ purpose }: Answered): boolean => purpose !== 'off-document';

export const isFailure = ({ response: { status } }: Answered): boolean => status >= 400;

/** A rule on one field of every response to which it applies. */
interface FieldRule extends Pick<Rule, 'expected' | 'leastResponses'> {
  /** A JSON pointer. */
  readonly place: string;
  readonly applies: (exchange: Answered) => boolean;
  /** What came instead of the expected value; null: the value is right. */
  readonly trouble: (value: unknown, exchange: Answered) => ReturnType<Rule['trouble']>;
}

/** A check: every response to which the rule applies keeps it. */
export const judgeEvery =
  ({ applies, ...rule }: Rule & Pick<FieldRule, 'applies'>): Check =>
  async ({ evidence }, tally) =>
    tally.add(judgeAll(evidence.responses.filter(applies), rule));

/** A check: one field of every response to which the rule applies keeps it. */
export const judgeField = ({ trouble, ...rule }: FieldRule): Check =>
  judgeEvery({ ...rule, trouble: (exchange) => trouble(at(exchange.response.json, rule.place), exchange) });

/** A value as a kind of its own: what is wrong is its type, and responses whose values differ share the finding. */
export const ofWrongType = (value: unknown): ReturnType<Rule['trouble']> =>
  value === undefined || value === null ? jsonTypeOf(value) : { kind: jsonTypeOf(value), value: show(value, 60) };

/** The JSON type of a value, in words: `absent`, `null`, `an array`, `a string`. */
export function jsonTypeOf(value: unknown): string {
  if (value === undefined || value === null) {
    return value === null ? 'null' : 'absent';
  }
  return Array.isArray(value) ? 'an array' : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}

/** Any `…/json` or `…+json` type labels JSON. */
const jsonType = /^[^;]*[/+]json\s*(;|$)/i;

/** A check: the body is JSON, or one JSON object, labelled as JSON. */
export const judgeJson = (rule: {
  readonly object: boolean;
  readonly isExempt: (exchange: Answered) => boolean;
}): Check =>
  judgeEvery({
    applies: (exchange) => !rule.isExempt(exchange),
    expected: rule.object ? 'one JSON object, labelled as JSON' : 'JSON, labelled as JSON',
    place: 'body',
    judgesUnread: (exchange) => !isUnread(exchange),
    trouble: (exchange) => bodyTrouble(exchange, rule.object),
  });

/** RFC 8259, 8.1: JSON that is sent over a network must not begin with it. */
const byteOrderMark = '\uFEFF';

function bodyTrouble(
  { response: { headers, text, json }, failure }: Answered,
  mustBeObject: boolean,
): ReturnType<Rule['trouble']> {
  if (failure !== null) {
    return `unreadable: ${failure.message}`;
  }
  const type = headerOf(headers, 'content-type');
  if (text === '') {
    return 'empty';
  }
  if (json === undefined && text.includes('\ufffd') && parseJson(text) !== undefined) {
    const at = text.indexOf('\ufffd');
    return {
      kind: 'not UTF-8',
      value: `a wrong byte after ${show(text.slice(Math.max(0, at - 20), at), 60)}, character ${at + 1}`,
    };
  }
  if (json === undefined) {
    const kind = `not JSON, ${type === null ? 'without a Content-Type' : `but Content-Type is ${type}`}`;
    return { kind, value: whereItBreaks(text) };
  }
  if (text.startsWith(byteOrderMark)) {
    return 'JSON that starts with a byte order mark, which many clients reject';
  }
  if (mustBeObject && !isObject(json)) {
    return { kind: `JSON, but ${jsonTypeOf(json)}, not an object`, value: show(json, 40) };
  }
  return jsonType.test(type ?? '')
    ? null
    : `JSON ${type === null ? 'without a Content-Type' : `with Content-Type ${type}`}`;
}

/** What the parser says of a text that is not JSON, which quotes the place: `Unexpected token 'N', ..."roas":NaN}`. */
function whereItBreaks(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    return show((error as Error).message.replace(/ is not valid JSON$/, ''), 120);
  }
  return '';
}

/** A check: responses have statuses that the document lists. `applies`: to which; default: documented calls. */
export const judgeStatuses = (rule: {
  readonly expected: string;
  readonly isKnown: (status: number) => boolean;
  readonly applies?: (exchange: Answered) => boolean;
}): Check =>
  judgeEvery({
    applies: rule.applies ?? isDocumented,
    expected: rule.expected,
    place: 'status',
    trouble: ({ response: { status } }) => (rule.isKnown(status) ? null : String(status)),
  });

/** A check: no documented, well-formed request gets a 5xx. One that does not come again is only noted. */
export const judgeServerErrors: Check = async ({ evidence }, tally) => {
  const { exchanges, isAccident } = evidence;
  const isWellFormed = ({ purpose, response }: Exchange): boolean => purpose === 'documented' && response !== null;
  const noted = exchanges.filter((one) => isWellFormed(one) && isAccident(one)).map(noteOf);
  const judged = evidence.responses.filter((one) => isWellFormed(one) && !isAccident(one));
  const found = judgeAll(judged, {
    expected: 'no 5xx on a documented, well-formed request',
    place: 'status',
    trouble: ({ response: { status } }) => (status < 500 ? null : String(status)),
  });
  const ofText = new Set(refusedForText(exchanges).map(({ number }) => number));
  const failures = found.failures.map((one) => (ofText.has(one.exchange ?? 0) ? { ...one, cause: textCause } : one));
  tally.add({ ...found, failures });
  return noted.length === 0 ? undefined : { once: noted };
};

const noteOf = (exchange: Exchange): string =>
  `${exchange.response?.status ?? 0} on ${callName({ exchange })} once, and not again (exchange ${exchange.number})`;

/** A line on the 429s of another limit than the API's, which were waited for; none where there is none. */
export function foreignLimitNotes({ exchanges, isAccident }: Pick<Evidence, 'exchanges' | 'isAccident'>): string[] {
  const foreign = exchanges.filter((one) => one.response?.status === 429 && isAccident(one));
  const { cause } = quoteIfOutside(foreign[0]);
  return cause === undefined
    ? []
    : [`${counted(foreign.length, 'call')} got a limit that is not the API's, which fails nothing: ${cause}`];
}

// --- Texts that a deployment refuses

/** The writes that failed with text as people write it, where one with the same key was accepted in plain letters. */
function refusedForText(exchanges: readonly Exchange[]): readonly Exchange[] {
  const writes = exchanges.filter(
    ({ request, purpose, endpoint }) => request.method === 'POST' && purpose === 'documented' && endpoint !== null,
  );
  const byCall = Map.groupBy(writes, ({ endpoint, keyLabel }) => `${endpoint} ${keyLabel}`);
  return [...byCall.values()].flatMap((group) => {
    const [plain = [], others = []] = [true, false].map((isPlain) =>
      group.filter(({ request }) => isPlainText(request.body ?? '') === isPlain),
    );
    const isPlainAccepted = plain.some(({ response }) => response !== null && response.status < 300);
    // A 400 may be due to a field that the plain body does not have.
    return isPlainAccepted && others.every(mayBreakOnText) ? others : [];
  });
}

/** What the text of a body did. */
const textCause = 'The text of the body: the same call in plain letters, without emoji, quotes, < and &, was accepted';

/** A line on the texts that a deployment refuses; none where it takes them. */
export function refusedTextNotes(exchanges: readonly Exchange[]): string[] {
  const found = refusedForText(exchanges).map((one) => `${one.endpoint} (${one.response?.status ?? 'no answer'})`);
  const names = firstOf([...new Set(found)], 6);
  return found.length === 0
    ? []
    : [
        `Text as people write it (emoji, letters outside ASCII, quotes, <, &) is refused, and plain text is taken: ${names}`,
      ];
}
