import type { Endpoint } from '../../../contract/endpoint.ts';
import type { Tally } from '../../../results/outcome.ts';
import { judgePart } from '../../engine/check.ts';
import { describeAnswer, describeUnaccepted, expectStatus, findingOn } from '../../engine/expect.ts';
import { refusesBody } from '../../records/bodies.ts';
import type { ArrangedCall, Difference } from '../../session/api.ts';
import type { Answer } from '../../session/call.ts';

/** The answers to a call that must be refused, and to its twin, the accepted call that differs in one thing only. */
export interface Refusal {
  readonly probe: Answer;
  readonly twin: Answer;
  readonly endpoint: Endpoint;
  /** The status that the probe must get. */
  readonly status: number;
  /** What was sent, for the finding where it does not: `A call without a key`. */
  readonly what: string;
  readonly cause?: string;
}

/**
 * Judges a refusal beside its twin. A refusal whose twin was not accepted proves nothing, so it leaves its part open. So
 * do a probe without an answer, and one that met a limit, although that was waited for. But where the twin's body is
 * refused, the key was checked before: a 401 or 403 in place of the other is wrong.
 */
export function judgeRefusal(tally: Tally, { probe, twin, endpoint, status, what, cause }: Refusal): void {
  const isWrongForKey = probe.status !== status && isAboutKey(probe) && refusesBody(twin);
  const came = { expected: String(status), actual: describeAnswer(probe) };
  if (probe.status === 429) {
    const message = `Cannot judge ${endpoint.id}: a rate limit answered first: ${came.actual}`;
    tally.leaveOpen(findingOn(probe, { message, ...came, advice: 'Run while nothing else uses the account' }));
  } else if (probe.accepted || twin.accepted || isWrongForKey) {
    tally.judge(expectStatus(probe, status, what, cause));
  } else {
    const message = `Cannot judge refusals on ${endpoint.id}: the control call, which must be accepted, got ${describeUnaccepted(twin)}`;
    tally.leaveOpen(findingOn(probe, { message, ...came, blames: endpoint.clause }));
  }
}

const isAboutKey = ({ status }: Answer): boolean => status === 401 || status === 403;

/**
 * The reads among the endpoints whose parameters have a documented vocabulary or a number, each with one of them: other
 * code may answer these than the call without.
 */
export const withParameter = (endpoints: readonly Endpoint[]) =>
  endpoints.flatMap(({ id, query }) => {
    const known = query.find(({ values, type }) => values !== undefined || type === 'integer');
    return known === undefined ? [] : [{ id, query: { [known.name]: known.values?.[0] ?? 1 } }];
  });

// Bodies that no call accepts.

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
/** The accepted body, and text behind it: some parsers stop at the end of the first value. */
export const continued: OddBody = {
  what: 'A body with text behind its JSON',
  reshape: (body) => `${JSON.stringify(body)} and more`,
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
    await judgePart(tally, async () => {
      const probe = await send({ purpose, reshape });
      judgeRefusal(tally, { probe, twin: await twin(), endpoint, status: 400, what: `${what}${how}` });
    });
  }
}
