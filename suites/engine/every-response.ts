import type { Outcome } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Answered } from '../session/evidence.ts';
import { callName, findingOn } from './expect.ts';

/** What each of many responses has to keep. */
export interface Rule {
  readonly expected: string;
  /** JSON pointer or `header NAME`. */
  readonly place: string;
  /** What came instead; null where the response keeps the rule. Alike causes give the same text. */
  readonly trouble: (exchange: Answered) => string | null;
  /** How many responses it takes to decide. Default 1. */
  readonly least?: number;
}

/** Responses that are named in one finding besides the first. */
const mostNamed = 8;

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
  const first = broken[0] as Answered;
  const places = [...new Set(broken.map((exchange) => `${exchange.response.status} on ${callName({ exchange })}`))];
  const more = places.length > mostNamed ? ` and ${places.length - mostNamed} more` : '';
  return findingOn(
    { exchange: first },
    {
      message: `${rule.place} is ${cause} in ${broken.length} of ${all} responses: ${places.slice(0, mostNamed).join(', ')}${more}`,
      expected: rule.expected,
      actual: cause,
      place: rule.place,
    },
  );
}
