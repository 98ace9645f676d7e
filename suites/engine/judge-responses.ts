import { counted, firstOf, thousands } from '../../common/words.ts';
import { answeredInPlace, isOutside, likelyCause, outsideCause } from '../../results/likely-cause.ts';
import type { Outcome } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Answered } from '../session/evidence/evidence.ts';
import { callName, findingOn } from './expect.ts';

/** A rule that every response has to keep. */
export interface Rule {
  readonly expected: string;
  /** JSON pointer or `header NAME`. */
  readonly place: string;
  /** What came instead; null where the response keeps the rule. Responses with trouble of one kind share a finding. */
  readonly trouble: (exchange: Answered) => Trouble | string | null;
  /** Whether it judges a response, too, whose body could not be read. Default: if it is on the status or headers. */
  readonly judgesUnread?: (exchange: Answered) => boolean;
  /** How many responses it takes to decide. Default 1. */
  readonly leastResponses?: number;
}

/**
 * What came, as a kind and as the value of one response: `a string`, `"not found"`. A text alone is a kind. The rest is
 * what the finding says where the words of the rule are too general.
 */
interface Trouble {
  readonly kind: string;
  readonly value?: string;
  /** `, in 3 of 60 responses` is added. */
  readonly summary?: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly place?: string;
}

/** Most calls that one finding names. */
const mostNamed = 4;

/**
 * Judges each of the exchanges by a rule. A finding names all that broke it in the same way. Responses that could not
 * be read are left open; where they are the larger part, so is the rule.
 */
export function judgeAll(all: readonly Answered[], rule: Rule): Outcome {
  const { judgesUnread = () => /^(status|header)/.test(rule.place) } = rule;
  const isJudged = (exchange: Answered): boolean => exchange.failure === null || judgesUnread(exchange);
  const exchanges = all.filter(isJudged);
  const unread = all.filter((exchange) => !isJudged(exchange));
  const found = exchanges.flatMap((exchange): Broken[] => {
    const trouble = rule.trouble(exchange);
    const told = typeof trouble === 'string' ? { kind: trouble } : trouble;
    return told === null ? [] : [{ exchange, ...told }];
  });
  const failures = [...Map.groupBy(found, ({ kind }) => kind).values()].map((broken) =>
    groupFinding(rule, broken, exchanges.length),
  );
  const isDecided = exchanges.length >= (rule.leastResponses ?? 1) && exchanges.length >= unread.length;
  const few = `Too few responses to judge: ${thousands(exchanges.length)} of this kind in this run`;
  if (unread.length === 0) {
    return { failures, undecided: isDecided ? [] : [{ message: few }], compared: isDecided ? exchanges.length : 0 };
  }
  const exchange = simplest(unread);
  const many = `${thousands(unread.length)} of ${counted(all.length, 'response')}`;
  const open = findingOn({ exchange }, { message: `${many} cannot be read: ${exchange.failure?.message}` });
  return { failures, undecided: [open], compared: isDecided ? exchanges.length : 0 };
}

/**
 * Whether the suite did not read the body of a response, which is larger or deeper than it reads. A body with the
 * wrong encoding counts as unreadable.
 */
export const isUnread = ({ failure }: Answered): boolean => failure !== null && failure.kind !== 'encoding';

interface Broken extends Trouble {
  readonly exchange: Answered;
}

/** The finding on the responses that broke a rule in the same way. `all`: how many were judged. */
function groupFinding(rule: Rule, broken: readonly Broken[], all: number): Finding {
  const responses = broken.map(({ exchange }) => exchange);
  // The finding shows one response and its likely cause, so that must not be a cause that others do not have.
  const unexplained = responses.filter((one) => likelyCause(one) === undefined);
  const exchange = simplest(unexplained.length > 0 ? unexplained : responses);
  const trouble = broken.find((one) => one.exchange === exchange) as Broken;
  const { kind, value, place = rule.place, expected = rule.expected } = trouble;
  const { summary = `${place} is ${kind}`, actual = value ? `${kind}: ${value}` : kind } = trouble;
  const message = `${summary}, in ${thousands(broken.length)} of ${counted(all, 'response')}: ${callsOf(responses)}`;
  // A known gateway's name says more.
  const isForeign = responses.every(isOutside) && !answeredInPlace.test(likelyCause(exchange) ?? '');
  const cause = isForeign ? { cause: outsideCause(exchange.response) } : {};
  return findingOn({ exchange }, { message, ...cause, expected, actual, place });
}

/** The calls by name, each with its status: `403 on GET /a, 404 on GET /b, and 2 more`. */
const callsOf = (broken: readonly Answered[]): string =>
  firstOf(
    [...new Set(broken.map((exchange) => `${exchange.response.status} on ${callName({ exchange })}`))],
    mostNamed,
  );

/** The exchange that is easiest to repeat: a read, with a given key, of a short address. */
function simplest(broken: readonly Answered[]): Answered {
  const effort = ({ request, keyScopes }: Answered): number =>
    (request.method === 'GET' ? 0 : 2_000) + (keyScopes === undefined ? 0 : 1_000) + Math.min(request.url.length, 999);
  return broken.reduce((best, exchange) => (effort(exchange) < effort(best) ? exchange : best));
}
