import type { Endpoint } from '../../contract/endpoint.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import { createTally, type Tally } from '../../results/outcome.ts';
import { cameOf, expectStatus, findingOn } from '../engine/expect.ts';
import { partly, settled } from '../engine/partly.ts';
import { type Answer, type Call, callOf } from '../session/call.ts';
import { changed } from './changes.ts';
import { kindOf } from './endpoints.ts';
import { hook, hookNames, likeHook } from './hooks.ts';
import { firstPage } from './lists.ts';
import { type Attempt, another, likeness, made, main, post, refusesBody, remove, succeeded } from './records.ts';
import { details } from './records-judged.ts';
import { secretsIn } from './secrets.ts';
import type { WorkspaceSession } from './session.ts';

/** A documented call that can be made in other ways, beside the one that is accepted. */
export interface Arranged {
  readonly endpoint: Endpoint;
  /** Sends the call with what is different about it. */
  send(rest: Partial<Call>): Promise<Answer>;
  /** The answer to the call as it is documented; where it deletes, it is sent last. */
  twin(): Promise<Answer>;
  /** The answer to the call as it is documented now, in other words; what it makes is deleted at once. null: it deletes. */
  again(): Promise<Answer | null>;
}

/** The attempt whose body the other creates of its kind are sent with. */
const exemplar = async (session: WorkspaceSession, endpoint: Endpoint): Promise<Attempt> => {
  const kind = kindOf(endpoint);
  return kind === 'webhooks' ? (await hook(session, hookNames.first)).attempt : main(session, kind);
};

/**
 * Arranges a documented call. What it deletes is made for that; `purpose` names it. Throws Inconclusive where there is no
 * record to call it on, Skipped where the settings forbid making one.
 */
export async function arrange(session: WorkspaceSession, endpoint: Endpoint, purpose: string): Promise<Arranged> {
  const kind = kindOf(endpoint);
  const send = (rest: Partial<Call> & { id?: string }): Promise<Answer> =>
    session.client.send(callOf(endpoint, session.key, { secretsIn, ...rest }));
  if (endpoint.method === 'POST') {
    const attempt = await exemplar(session, endpoint);
    return {
      endpoint,
      twin: async () => attempt.answer,
      send: async (rest) => (await create(session, attempt, rest)).answer,
      again: async () => {
        const copy = await create(session, attempt, {});
        if (copy.id !== undefined && copy.kind !== 'leads') {
          await remove(session, made(copy));
        }
        return copy.answer;
      },
    };
  }
  if (endpoint.method === 'PATCH') {
    const change = await changed(session, kind as 'agents' | 'leads');
    const patch = (rest: Partial<Call>): Promise<Answer> => send({ id: change.record.id, body: change.body, ...rest });
    return { endpoint, twin: async () => change.answer, send: patch, again: () => patch({}) };
  }
  if (endpoint.method === 'DELETE') {
    // A deployment may cap the number of webhooks: those that events are looked for at come first.
    if (kind === 'webhooks' && session.listening !== null) {
      await settled(session.listening);
    }
    const record = made(
      kind === 'webhooks'
        ? (await hook(session, `webhook for ${purpose}`)).attempt
        : await another(session, kind as 'agents' | 'bookings', purpose),
    );
    return {
      endpoint,
      twin: () => session.once(`${endpoint.id} after ${purpose}`, () => remove(session, record)),
      send: (rest) => remove(session, record, { deletes: false, ...rest }),
      again: async () => null,
    };
  }
  if (!endpoint.path.includes(':id')) {
    return { endpoint, twin: () => firstPage(session, kind), send, again: () => send({}) };
  }
  const view = await details(session, kind as 'agents' | 'leads');
  return {
    endpoint,
    twin: async () => view.answer,
    send: (rest) => send({ id: view.id, ...rest }),
    again: () => send({ id: view.id }),
  };
}

/** A create that is to be refused: what is made all the same is deleted again. */
async function create(session: WorkspaceSession, attempt: Attempt, rest: Partial<Call>): Promise<Attempt> {
  const { tag, body } = attempt.kind === 'webhooks' ? likeHook(session, attempt) : likeness(session, attempt);
  return { ...attempt, tag, body, ...(await post(session, attempt.kind, rest.body ?? body, tag, rest)) };
}

/** One way of making a call that is to be refused. */
export interface Form {
  /** `without a key`: stands behind the call's name in findings. */
  readonly name: string;
  readonly call: Partial<Call>;
  /** Another form, of another clause: what it gets too is not blamed on this one. */
  readonly like?: Partial<Call>;
}

interface Refusal {
  readonly purpose: string;
  readonly status: number;
  readonly forms: readonly Form[];
  readonly endpoints?: readonly Endpoint[];
}

/** Tries each form of a call on each endpoint; every refusal stands beside its accepted twin. */
export async function judgeRefusals(
  session: WorkspaceSession,
  { purpose, status, forms, endpoints = workspaceEndpoints }: Refusal,
): Promise<Tally> {
  const tally = createTally();
  await Promise.all(
    endpoints.map((endpoint) =>
      partly(tally, async () => {
        const call = await arrange(session, endpoint, purpose);
        const probes: { form: Form; probe: Answer }[] = [];
        for (const form of forms) {
          const probe = await call.send({ purpose: 'refusal', ...form.call });
          if (
            probe.status !== status &&
            form.like !== undefined &&
            (await call.send({ purpose: 'refusal', ...form.like })).status === probe.status
          ) {
            continue;
          }
          probes.push({ form, probe });
          // What was deleted cannot be deleted once more.
          if (endpoint.method === 'DELETE' && succeeded(probe)) {
            break;
          }
        }
        const twin = await call.twin();
        for (const { form, probe } of probes) {
          judgeRefusal(tally, {
            probe,
            twin,
            endpoint,
            status,
            what: `Call ${form.name} is not refused with ${status}`,
          });
        }
      }),
    ),
  );
  return tally;
}

/** Judges one refusal beside its twin; a refusal whose twin was not accepted proves nothing. */
export function judgeRefusal(
  tally: Tally,
  {
    probe,
    twin,
    endpoint,
    status,
    what,
  }: { probe: Answer; twin: Answer; endpoint: Endpoint; status: number; what: string },
): void {
  // A body that nobody knows gets 400 with the best of keys: that its twin got so far shows what the key did.
  const guessed = endpoint.body === null && refusesBody(twin);
  if (probe.status === status && (succeeded(twin) || guessed)) {
    tally.judge(null);
  } else if (probe.status !== 0 && (succeeded(probe) || succeeded(twin))) {
    tally.judge(expectStatus(probe, status, what));
  } else {
    tally.leaveOpen(
      findingOn(probe, {
        message: `${what}: cannot be judged on ${endpoint.id}, whose accepted twin got ${cameOf(twin)}`,
        expected: String(status),
        actual: cameOf(probe),
        blames: endpoint.clause,
      }),
    );
  }
}

/** Documented calls that take a body. */
export const withBody: readonly Endpoint[] = workspaceEndpoints.filter(({ body }) => body !== undefined);

/** The body with which a call's twin was accepted, as text. */
export async function acceptedBody(session: WorkspaceSession, endpoint: Endpoint): Promise<string> {
  const body =
    endpoint.method === 'PATCH'
      ? (await changed(session, kindOf(endpoint) as 'agents' | 'leads')).body
      : (await exemplar(session, endpoint)).body;
  return JSON.stringify(body);
}
