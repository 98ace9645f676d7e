import { at } from '../../common/json.ts';
import { show } from '../../common/schema.ts';
import { seedResult } from '../../contract/schemas.ts';
import { createTally, judged, observed } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Checks } from '../engine/engine.ts';
import { accepted, cameOf, expectAccepted, expectSchema, findingOn } from '../engine/expect.ts';
import type { Answer } from '../session/call.ts';
import { callOf } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import { endpoint, read, requireKey, seed } from './calls.ts';
import { isolation } from './isolation.ts';
import { parity } from './parity.ts';
import { listIn } from './records.ts';

/** The sandbox and its seeding. */
export const sandbox: Checks = {
  'developer.sandbox.seed': async (session) => {
    const answer = await seed(session);
    if (!accepted(answer)) {
      return judged(expectAccepted(answer, 'Sandbox cannot be seeded'));
    }
    const findings = expectSchema(answer, seedResult, '/data');
    return findings.length === 0 ? judged(null) : judged(...findings);
  },

  'developer.sandbox.products': async (session) => {
    const answer = await seeded(session);
    const products = at(answer.json, '/data/products');
    if (!Array.isArray(products)) {
      throw new Inconclusive(
        findingOn(answer, {
          message: 'Products cannot be counted: data.products is no array',
          blames: 'developer.sandbox.seed',
        }),
      );
    }
    const different = new Set(products.map((product) => JSON.stringify(product))).size;
    return judged(
      products.length === 6 && different === 6
        ? null
        : findingOn(answer, {
            message: `Seed result has ${products.length} products, ${different} of them different`,
            expected: 'six different entries, one a module',
            actual: show(products),
            place: '/data/products',
          }),
    );
  },

  'developer.sandbox.state': async (session) =>
    judged(expectAccepted(await read(session, 'GET /api/v1/developer/sandbox/seed'))),

  'developer.sandbox.data': async (session) => {
    const cause = 'Seeding leaves the list empty, or the list does not read what was seeded';
    await seeded(session);
    const key = requireKey(session, 'SANDBOX_API_KEY');
    const tally = createTally();
    for (const [id, noun] of [
      ['GET /api/v1/ads/campaigns', 'campaign'],
      ['GET /api/v1/investor/pipeline', 'deal'],
      ['GET /api/v1/developer/export/bookings', 'booking'],
    ] as const) {
      const answer = await read(session, id, undefined, key);
      const rows = accepted(answer) ? listIn(answer, noun)?.rows : undefined;
      if (rows === undefined) {
        tally.leaveOpen(
          findingOn(answer, {
            message: `${id} shows no list of objects that could be found filled`,
            blames: endpoint(id).clause,
          }),
        );
      } else {
        tally.judge(
          rows.length > 0
            ? null
            : findingOn(answer, {
                message: `${id} is empty after seeding`,
                expected: 'at least one record',
                actual: 'none',
                cause,
              }),
        );
      }
    }
    return tally.outcome();
  },

  'developer.sandbox.isolation': isolation,
  'developer.sandbox.parity': parity,

  'developer.sandbox.reseed': async (session) => {
    const first = await seeded(session);
    await session.others;
    const before = await counts(session);
    const again = await session.client.send(
      callOf(endpoint('POST /api/v1/developer/sandbox/seed'), requireKey(session, 'SANDBOX_API_KEY')),
    );
    return observed({
      first: at(first.exchange, '/response/json/data'),
      second: cameOf(again),
      data: at(again.exchange, '/response/json/data'),
      rowsBefore: before,
      rowsAfter: await counts(session),
    });
  },
};

/** The answer to seeding. Throws Inconclusive where the sandbox could not be seeded. */
async function seeded(session: Session): Promise<Answer> {
  const answer = await seed(session);
  if (accepted(answer)) {
    return answer;
  }
  throw new Inconclusive(
    findingOn(answer, { message: `Sandbox cannot be seeded: ${cameOf(answer)}`, blames: 'developer.sandbox.seed' }),
  );
}

/** How many records a few lists show now. */
async function counts(session: Session): Promise<Record<string, number | null>> {
  const key = requireKey(session, 'SANDBOX_API_KEY');
  const rows = await Promise.all(
    [
      ['GET /api/v1/ads/campaigns', 'campaign'],
      ['GET /api/v1/investor/pipeline', 'deal'],
    ].map(
      async ([id = '', noun = '']) =>
        [id, listIn(await session.client.send(callOf(endpoint(id), key)), noun)?.rows.length ?? null] as const,
    ),
  );
  return Object.fromEntries(rows);
}
