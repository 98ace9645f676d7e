import { isObject } from '../../common/json.ts';
import { show } from '../../common/schema.ts';
import type { Kind } from '../../fixtures/workspace-bodies.ts';
import { createTally, judged, type Outcome, type Tally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Checks } from '../engine/engine.ts';
import { cameOf, expectStatus, findingOn } from '../engine/expect.ts';
import { partly } from '../engine/partly.ts';
import { type Answer, callOf } from '../session/call.ts';
import { deletedAgent } from './agents.ts';
import { cancelledBooking } from './bookings.ts';
import { changed } from './changes.ts';
import { changing, deleting, nounOf, reading } from './endpoints.ts';
import { removedHook } from './experiments.ts';
import { unknownLike } from './identity.ts';
import { firstPage } from './lists.ts';
import { likeness, made, main, post, succeeded } from './records.ts';
import { details, isShown } from './records-judged.ts';
import { acceptedBody, arrange, judgeRefusal, withBody } from './refusals.ts';
import type { WorkspaceSession } from './session.ts';

/** The body that was accepted, cut off before its last brace. */
async function judgeBrokenBody(session: WorkspaceSession): Promise<Outcome> {
  const tally = createTally();
  await Promise.all(
    withBody.map((endpoint) =>
      partly(tally, async () => {
        const call = await arrange(session, endpoint, 'a broken body');
        const body = (await acceptedBody(session, endpoint)).slice(0, -1);
        const [probe, twin] = [await call.send({ body, purpose: 'off-document' }), await call.twin()];
        if (succeeded(twin)) {
          judgeRefusal(tally, {
            probe,
            twin,
            endpoint,
            status: 400,
            what: 'Body that is not JSON is not refused with 400',
          });
        } else {
          tally.leaveOpen(
            findingOn(twin, {
              message: `A broken body proves nothing on ${endpoint.id}: a whole one got ${cameOf(twin)}`,
              blames: endpoint.clause,
            }),
          );
        }
      }),
    ),
  );
  return tally.outcome();
}

/** Calls with ids that the deployment does not know: one that was deleted, and one that it never gave out. */
async function judgeUnknownIds(session: WorkspaceSession): Promise<Outcome> {
  const tally = createTally();
  await Promise.all([
    partly(tally, async () => judgeUnknown(session, tally, 'agents', await deletedIds(session))),
    partly(tally, () => judgeUnknown(session, tally, 'leads', [])),
    partly(tally, async () => {
      const { record, answer, gone } = await deletedAgent(session);
      await judgeRemoval(session, tally, 'agents', { deleted: gone ? [record.id] : [], twin: answer, real: record.id });
    }),
    partly(tally, async () => {
      const { record, answer } = await cancelledBooking(session);
      // A cancelled booking may be known for ever.
      await judgeRemoval(session, tally, 'bookings', { deleted: [], twin: answer, real: record.id });
    }),
    partly(tally, async () => {
      const { record, answer, sighting } = await removedHook(session);
      await judgeRemoval(session, tally, 'webhooks', {
        deleted: isShown(sighting, record) ? [] : [record.id],
        twin: answer,
        real: record.id,
      });
    }),
  ]);
  return tally.outcome();
}

/** Reads and changes an id that nobody has; what can be read is changed by nobody. */
async function judgeUnknown(
  session: WorkspaceSession,
  tally: Tally,
  kind: 'agents' | 'leads',
  deleted: readonly string[],
): Promise<void> {
  const { answer: view, id: real } = await details(session, kind);
  const ids = [...unknownLike(real), ...deleted];
  if (ids.length === 0) {
    throw new Inconclusive(noId(kind, real));
  }
  for (const id of ids) {
    const read = await session.client.send(callOf(reading(kind), session.key, { id }));
    judgeTwinned(tally, read, view, `Unknown ${nounOf(kind)} is not answered with 404`, reading(kind).clause);
    await partly(tally, async () => {
      const change = await changed(session, kind);
      if (succeeded(read)) {
        return;
      }
      const probe = await session.client.send(callOf(changing(kind), session.key, { id, body: change.body }));
      judgeTwinned(
        tally,
        probe,
        change.answer,
        `Change of an unknown ${nounOf(kind)} is not answered with 404`,
        changing(kind).clause,
      );
    });
  }
}

/** The agent that was deleted, where the deployment shows it no more. */
const deletedIds = (session: WorkspaceSession): Promise<string[]> =>
  deletedAgent(session).then(
    ({ record, gone }) => (gone ? [record.id] : []),
    () => [],
  );

async function judgeRemoval(
  session: WorkspaceSession,
  tally: Tally,
  kind: Exclude<Kind, 'leads'>,
  { deleted, twin, real }: { deleted: readonly string[]; twin: Answer; real: string },
): Promise<void> {
  const ids = [...unknownLike(real), ...deleted];
  if (ids.length === 0) {
    throw new Inconclusive(noId(kind, real));
  }
  for (const id of ids) {
    const probe = await session.client.send(callOf(deleting(kind), session.key, { id }));
    judgeTwinned(
      tally,
      probe,
      twin,
      `Removal of an unknown ${nounOf(kind)} is not answered with 404`,
      deleting(kind).clause,
    );
  }
}

function judgeTwinned(tally: Tally, probe: Answer, twin: Answer, what: string, clause: string): void {
  if (succeeded(twin) || succeeded(probe)) {
    tally.judge(expectStatus(probe, 404, what));
  } else {
    tally.leaveOpen(
      findingOn(probe, {
        message: `${what}: cannot be judged, since a known one got ${cameOf(twin)}`,
        expected: '404',
        actual: cameOf(probe),
        blames: clause,
      }),
    );
  }
}

const noId = (kind: Kind, real: string): { message: string } => ({
  message: `An unknown ${nounOf(kind)} is not tried: ids such as ${real} are too short for a made-up one to be surely nobody's`,
});

async function judgeUnknownPath(session: WorkspaceSession): Promise<Outcome> {
  const twin = await firstPage(session, 'agents');
  if (!succeeded(twin)) {
    throw new Inconclusive(
      findingOn(twin, {
        message: `Unknown path proves nothing: a known one got ${cameOf(twin)}`,
        blames: 'workspace.agents.list',
      }),
    );
  }
  const [probe] = await Promise.all([
    session.client.send({
      method: 'GET',
      path: `/v1/${session.tag}-unknown`,
      key: session.key,
      purpose: 'off-document',
    }),
    strayProbes(session),
  ]);
  return judged(expectStatus(probe, 404, 'Unknown path is not answered with 404') ?? withoutError(probe));
}

const withoutError = (probe: Answer): Finding | null =>
  isObject(probe.json) && isObject(probe.json.error)
    ? null
    : findingOn(probe, {
        message: `Unknown path is answered without the error body: ${show(probe.text, 60)}`,
        expected: 'an object error with code, message and status',
        actual: show(probe.text, 60),
        place: 'body',
        cause: "The framework's default handler answers",
      });

/** Larger than the usual default limits of web frameworks and proxies (100 kB to 1 MiB). */
const oversized = 1_250_000;

/** Here for the clauses that judge every response: the pages that frameworks and proxies answer themselves show up so. */
async function strayProbes(session: WorkspaceSession): Promise<void> {
  const none = createTally();
  await partly(none, async () => {
    await session.client.send({
      method: 'PUT',
      path: '/v1/agents',
      key: session.key,
      purpose: 'off-document',
      body: {},
    });
  });
  await partly(none, async () => {
    const agent = made(await main(session, 'agents'));
    const { tag, body } = likeness(session, agent);
    await post(session, 'agents', { ...(body as object), padding: 'x'.repeat(oversized) }, tag, {
      purpose: 'off-document',
    });
  });
}

/** Errors that calls of their own bring about. */
export const errors: Checks<WorkspaceSession> = {
  'workspace.errors.bad-request': judgeBrokenBody,
  'workspace.errors.not-found': judgeUnknownIds,
  'workspace.errors.unknown-path': judgeUnknownPath,
};
