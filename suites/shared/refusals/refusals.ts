import type { Endpoint } from '../../../contract/endpoint.ts';
import type { Outcome, Tally } from '../../../results/outcome.ts';
import { describeAnswer, expectStatus, findingOn } from '../../engine/expect.ts';
import { judgeEach } from '../../engine/parts.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { ArrangedCall } from '../../session/api.ts';
import type { Session } from '../../session/session.ts';

/** A call that is to be refused, and its twin: the accepted call that it differs from in one thing only. */
export interface Refusal {
  readonly probe: Answer;
  readonly twin: Answer;
  readonly endpoint: Endpoint;
  readonly status: number;
  readonly what: string;
  readonly cause?: string;
}

/**
 * Judges one refusal beside its twin. A refusal whose twin was not accepted proves nothing, and neither does a probe that
 * got no response: both leave their part open. Where the twin's body is refused, a 401 or 403 is about the key all the same: another one
 * than was expected is wrong.
 */
export function judgeRefusal(tally: Tally, { probe, twin, endpoint, status, what, cause }: Refusal): void {
  const isWrong = probe.status !== status && isAboutKey(probe) && [400, 422].includes(twin.status);
  if (probe.accepted || twin.accepted || isWrong) {
    tally.judge(expectStatus(probe, status, what, cause));
  } else {
    tally.leaveOpen(
      findingOn(probe, {
        message: `Refusals on ${endpoint.id} prove nothing: the call that should be accepted beside them got ${describeAnswer(twin)}`,
        expected: String(status),
        actual: describeAnswer(probe),
        blames: endpoint.clause,
      }),
    );
  }
}

const isAboutKey = ({ status }: Answer): boolean => status === 401 || status === 403;

/** One way of making a call that is to be refused. */
export interface Form {
  /** `without a key`: stands behind the call's name in findings. */
  readonly name: string;
  send(call: ArrangedCall, session: Session): Promise<Answer>;
  /** Another form, of another clause: a wrong answer that it gets too is not blamed on this one. */
  readonly like?: Form['send'];
}

/** Calls with a bad key, or none, that are tried on several endpoints. */
interface Refusals {
  /** Stands in whatever is made for it. */
  readonly label: string;
  readonly forms: readonly Form[] | ((index: number) => readonly Form[]);
  /** Default: all that the API documents. */
  readonly endpoints?: readonly Endpoint[];
}

/** What came of trying them. */
export interface Tried {
  readonly outcome: Outcome;
  readonly probes: readonly { readonly endpoint: Endpoint; readonly probe: Answer }[];
}

/**
 * Tries each form on each endpoint, once bad keys may be sent: all get 401, each beside its twin, which was accepted before.
 * Gives the answers too: what a refused write leaves behind is a clause of its own.
 */
export async function tryRefusals(
  session: Session,
  { label, forms, endpoints = session.api.endpoints }: Refusals,
): Promise<Tried> {
  const probes: Tried['probes'][number][] = [];
  const outcome = await judgeEach(endpoints, async (tally, endpoint, index) => {
    const call = await session.api.arrange(session, endpoint, label);
    const tried = typeof forms === 'function' ? forms(index) : forms;
    const twin = await call.twin();
    await session.badKeys;
    for await (const { name, probe } of probesOf(session, call, tried)) {
      probes.push({ endpoint, probe });
      judgeRefusal(tally, { probe, twin, endpoint, status: 401, what: `Call ${name} is not refused with 401` });
    }
  });
  return { outcome: { ...outcome, observed: { calls: probes.length, endpoints: endpoints.length } }, probes };
}

async function* probesOf(
  session: Session,
  call: ArrangedCall,
  forms: readonly Form[],
): AsyncGenerator<{ name: string; probe: Answer }> {
  for (const form of forms) {
    const probe = await form.send(call, session);
    if (probe.status !== 401 && (await form.like?.(call, session))?.status === probe.status) {
      continue;
    }
    yield { name: form.name, probe };
    // What was deleted cannot be deleted once more.
    if (call.endpoint.method === 'DELETE' && isSuccess(probe)) {
      break;
    }
  }
}
