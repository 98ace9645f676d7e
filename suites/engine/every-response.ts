import { at } from '../../common/json.ts';
import { show } from '../../common/schema.ts';
import { counted, firstOf } from '../../common/words.ts';
import { likelyCause } from '../../results/likely-cause.ts';
import type { Outcome } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Answered } from '../session/evidence/evidence.ts';
import { callName, findingOn } from './expect.ts';

/** What each of many responses has to keep. */
export interface Rule {
  readonly expected: string;
  /** JSON pointer or `header NAME`. */
  readonly place: string;
  /** What came instead; null where the response keeps the rule. Alike causes give the same text. */
  readonly trouble: (exchange: Answered) => string | null;
  /** Says it in the words of one of them, where those of the rule are too general. */
  readonly tell?: (exchange: Answered) => Told;
  /** How many responses it takes to decide. Default 1. */
  readonly least?: number;
}

/** What a finding says of the responses that broke a rule; `says` is continued with `, in 3 of 60 responses`. */
export interface Told {
  readonly says: string;
  readonly expected: string;
  readonly actual: string;
  readonly place: string;
}

/** Kinds of responses that one finding names. */
const mostNamed = 4;

/** Holds a rule against each of the exchanges; the findings name all that broke it, grouped by cause. */
export function judgeAll(exchanges: readonly Answered[], rule: Rule): Outcome {
  const byCause = new Map<string, Answered[]>();
  for (const exchange of exchanges) {
    const trouble = rule.trouble(exchange);
    if (trouble !== null) {
      byCause.set(trouble, [...(byCause.get(trouble) ?? []), exchange]);
    }
  }
  const decided = exchanges.length >= (rule.least ?? 1);
  return {
    failures: [...byCause].map(([cause, broken]) => groupFinding(rule, cause, broken, exchanges.length)),
    undecided: decided ? [] : [{ message: `Too few responses to judge: ${exchanges.length} of this kind in this run` }],
    compared: decided ? exchanges.length : 0,
  };
}

function groupFinding(rule: Rule, cause: string, broken: readonly Answered[], all: number): Finding {
  // What likely lies behind one of them is told only where it lies behind all.
  const unexplained = broken.filter((one) => likelyCause(one) === undefined);
  const exchange = simplest(unexplained.length > 0 ? unexplained : broken);
  const { says, ...told } = rule.tell?.(exchange) ?? {
    says: `${rule.place} is ${cause}`,
    expected: rule.expected,
    actual: cause.includes(valueAt(rule.place, exchange)) ? cause : `${cause}: ${valueAt(rule.place, exchange)}`,
    place: rule.place,
  };
  const message = `${says}, in ${broken.length} of ${counted(all, 'response')}: ${placesOf(broken)}`;
  return findingOn({ exchange }, { message, ...told });
}

/** `403 on GET /a, GET /b, and 2 more`; each with its status where they differ. */
function placesOf(broken: readonly Answered[]): string {
  const [first, ...others] = new Set(broken.map(({ response }) => response.status));
  const nameOf = (exchange: Answered): string => callName({ exchange });
  const places = new Set(
    broken.map((exchange) =>
      others.length === 0 ? nameOf(exchange) : `${exchange.response.status} on ${nameOf(exchange)}`,
    ),
  );
  return `${others.length === 0 ? `${first} on ` : ''}${firstOf([...places], mostNamed)}`;
}

/** The value that came, where it is plain. */
function valueAt(place: string, { response }: Answered): string {
  const value = place.startsWith('/') ? at(response.json, place) : undefined;
  return typeof value === 'string' || typeof value === 'number' ? show(value, 80) : '';
}

/** What is easiest to see again: a read with a given key, of a short address. */
function simplest(broken: readonly Answered[]): Answered {
  const effort = ({ request, keyScopes }: Answered): number =>
    (request.method === 'GET' ? 0 : 2_000) + (keyScopes === undefined ? 0 : 1_000) + Math.min(request.url.length, 999);
  return broken.reduce((best, exchange) => (effort(exchange) < effort(best) ? exchange : best));
}
