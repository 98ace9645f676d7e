import { at, isObject } from '../../common/json.ts';
import { show } from '../../common/schema.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { seedResult } from '../../contract/schemas.ts';
import { createTally, judged, type Outcome, observed } from '../../results/outcome.ts';
import { atMoment, type Checks } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { expectAccepted, expectSchema, findingOn, judgeThat, undecided } from '../engine/expect.ts';
import { read } from '../records/reads.ts';
import { requireKey } from '../session/keys.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { listIn } from './rows.ts';
import { judgeIsolation } from './sandbox/isolation.ts';
import { judgeParity } from './sandbox/parity.ts';
import { filledSandbox, isFilled, readFilled, seed, seeded, seedOnce, seedPath } from './seeding.ts';

/** Lists that seeding fills, and what a record is called. */
const seededLists = [
  ['GET /api/v1/ads/campaigns', 'campaign'],
  ['GET /api/v1/investor/pipeline', 'deal'],
  ['GET /api/v1/developer/export/bookings', 'booking'],
] as const;

/** The sandbox and its seeding. */
export const sandbox: Checks = {
  'developer.sandbox.seed': async (session) => {
    const answer = await seed(session);
    if (!answer.accepted && answer.status !== 429 && !(await isFilled(session))) {
      return judged(expectAccepted(answer, 'Sandbox cannot be seeded'));
    }
    await seeded(session);
    const differences = expectSchema(answer, seedResult, '/data');
    return differences.length === 0 ? judged(null) : judged(...differences);
  },

  'developer.sandbox.products': async (session) => {
    const answer = await seeded(session);
    const products = at(answer.json, '/data/products');
    if (!Array.isArray(products)) {
      const message = 'Cannot count the products: data.products is not an array';
      throw undecided(answer, message, 'developer.sandbox.seed');
    }
    const different = new Set(products.map((product) => JSON.stringify(product))).size;
    return judged(
      products.length === 6 && different === 6
        ? null
        : findingOn(answer, {
            message: `Seed result has ${products.length} products, ${different} distinct, instead of 6`,
            expected: 'six distinct products, one per module',
            actual: show(products),
            place: '/data/products',
          }),
    );
  },

  'developer.sandbox.state': async (session) => {
    const answer = await read(session, `GET ${seedPath}`);
    // A sandbox that was never seeded may have no state. A 404 that is no JSON says that there is no such call.
    if (answer.status === 404 && isObject(answer.json) && !(await isFilled(session))) {
      throw undecided(
        answer,
        `The sandbox is not seeded and has no state: ${describeAnswer(answer)}`,
        'developer.sandbox.seed',
      );
    }
    return judged(expectAccepted(answer));
  },
  'developer.sandbox.data': judgeData,
  'developer.sandbox.isolation': judgeIsolation,
  'developer.sandbox.parity': judgeParity,

  'developer.sandbox.reseed': atMoment('quiet', async (session) => {
    const first = await seed(session);
    await filledSandbox(session);
    await session.until('quiet');
    const before = await recordCounts(session);
    const again = await seedOnce(session);
    const after = await recordCounts(session);
    return observed({
      second: describeAnswer(again),
      data: again.payload,
      rows: Object.fromEntries(
        Object.entries(after).map(([list, count]) => [list, changeOf(before[list] ?? null, count)]),
      ),
      // Measured, not compared from run to run: it depends on how often the sandbox was seeded before.
      measured: {
        first: first.accepted ? first.payload : describeAnswer(first),
        rowsBefore: before,
        rowsAfter: after,
      },
    });
  }),
};

/** After seeding, the lists that it fills are not empty. */
async function judgeData(session: Session): Promise<Outcome> {
  await filledSandbox(session);
  const key = requireKey(session, 'SANDBOX_API_KEY');
  const tally = createTally();
  for (const [endpoint, noun] of seededLists) {
    const first = await read(session, endpoint, { key });
    const answer = await readFilled(session, first, () => send(session, endpoint, { key }));
    const rows = answer.accepted ? listIn(answer, noun)?.rows : undefined;
    if (rows === undefined) {
      const message = `${endpoint} has no list of records that could be counted`;
      tally.leaveOpen(findingOn(answer, { message, blames: endpointOf(endpoint).clause }));
    } else {
      judgeThat(tally, rows.length > 0, answer, {
        message: `${endpoint} is empty after seeding`,
        expected: 'at least one record',
        actual: 'none',
        cause: 'Seeding leaves the list empty, or the list does not read what was seeded',
      });
    }
  }
  return tally.outcome();
}

function changeOf(before: number | null, after: number | null): string {
  if (before === null || after === null) {
    return 'unknown';
  }
  if (after === before) {
    return 'as many as before';
  }
  return after > before ? 'more than before' : 'fewer than before';
}

/** How many records the campaigns and the deals list, by endpoint; null: no list can be found. */
async function recordCounts(session: Session): Promise<Record<string, number | null>> {
  const key = requireKey(session, 'SANDBOX_API_KEY');
  const counts = await Promise.all(
    seededLists.slice(0, 2).map(async ([endpoint, noun]) => {
      const list = listIn(await send(session, endpoint, { key }), noun);
      return [endpoint, list?.rows.length ?? null] as const;
    }),
  );
  return Object.fromEntries(counts);
}
