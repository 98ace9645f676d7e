import { at, isEmptyValue, isObject, type JsonObject } from '../../common/json.ts';
import { show } from '../../common/words.ts';
import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { seedResult } from '../../contract/schemas.ts';
import type { Tally } from '../../results/outcome.ts';
import { atMoment, type Checks, settle } from '../engine/check.ts';
import { describeAnswer, expectAccepted, findingOn, judgeThat, undecided } from '../engine/expect.ts';
import { isPlainRead, read } from '../records/reads.ts';
import { type Answer, type ApiKey, isServerFailure } from '../session/call.ts';
import { requireKey, send, step } from '../session/session.ts';
import { judgeShape } from './calls/succeeds.ts';
import { comparedKeys } from './environments.ts';
import { bookings } from './filters/documented.ts';
import { judgeIsolation } from './isolation.ts';
import { filledSandbox, isFilled, readCampaigns, readFilled, recordCount, seed, seeded, seedPath } from './seeding.ts';

/** Lists that seeding fills. */
const seededLists = ['GET /api/v1/ads/campaigns', 'GET /api/v1/investor/pipeline', bookings];

/** The sandbox and its seeding. */
export const sandbox: Checks = {
  'developer.sandbox.seed': atMoment('quiet', async (session, tally) => {
    const answer = await seed(session);
    if (!answer.accepted && !(await isFilled(session))) {
      tally.judge(expectAccepted(answer, 'Sandbox cannot be seeded'));
      return;
    }
    await seeded(session);
    // Seeding again is allowed, and answers like the first time, or with any refusal.
    await settle(seededAgain(session));
    tally.add(judgeShape(session, `POST ${seedPath}`, seedResult));
  }),

  'developer.sandbox.products': async (session, tally) => {
    const answer = await seeded(session);
    const products = at(answer.json, '/data/products');
    if (!Array.isArray(products)) {
      const message = 'Cannot count the products: data.products is not an array';
      throw undecided(answer, message, 'developer.sandbox.seed');
    }
    const different = new Set(products.map((product) => JSON.stringify(product))).size;
    judgeThat(tally, products.length === 6 && different === 6, answer, {
      message: `Seed result has ${products.length} products, ${different} distinct, instead of 6`,
      expected: 'six distinct products, one per module',
      actual: show(products),
      place: '/data/products',
    });
  },

  'developer.sandbox.state': async (session, tally) => {
    const first = await read(session, `GET ${seedPath}`);
    // Seeding may go on in the background.
    const mayCome = first.status === 404 && (await seed(session)).accepted;
    const readAgain = (): Promise<Answer> => send(session, `GET ${seedPath}`);
    const answer = mayCome ? await readFilled(session, readAgain, ({ status }) => status !== 404) : first;
    // A sandbox that was never seeded may have no state. A 404 that is no JSON says that there is no such call.
    if (answer.status === 404 && isObject(answer.json) && !(await isFilled(session))) {
      throw undecided(
        answer,
        `The sandbox is not seeded and has no state: ${describeAnswer(answer)}`,
        'developer.sandbox.seed',
      );
    }
    tally.judge(expectAccepted(answer));
  },
  // After seeding, the lists that it fills are not empty.
  'developer.sandbox.data': async (session, tally) => {
    await filledSandbox(session);
    const key = requireKey(session, 'SANDBOX_API_KEY');
    for (const endpoint of seededLists) {
      const readList = (attempt: number): Promise<Answer> =>
        attempt === 0 ? read(session, endpoint, { key }) : send(session, endpoint, { key });
      const answer = await readFilled(session, readList);
      const count = recordCount(answer);
      if (count === undefined) {
        const message = `${endpoint} has no list of records that could be counted`;
        tally.leaveOpen(findingOn(answer, { message, blames: endpointOf(endpoint).clause }));
      } else {
        judgeThat(tally, count > 0, answer, {
          message: `${endpoint} is empty after seeding`,
          expected: 'at least one record',
          actual: 'none',
          cause: 'Seeding leaves the list empty, or the list does not read what was seeded',
        });
      }
    }
  },
  'developer.sandbox.isolation': judgeIsolation,
  // Behaviour is identical in both environments: statuses, and field names of the envelope and of documented objects.
  'developer.sandbox.parity': async (session, tally) => {
    const { sandbox, live } = await comparedKeys(session);
    const [sandboxKey, liveKey] = [sandbox[0], live[0]] as [ApiKey, ApiKey];
    // A given key may have rights that no made one has.
    const keys = [sandbox.find(({ origin }) => origin === liveKey.origin) ?? sandboxKey, liveKey] as const;
    await tally.inTurn(comparedReads, async ({ id: endpoint }) => {
      const inSandbox = await read(session, endpoint, { key: keys[0] });
      const inLive = await read(session, endpoint, { key: keys[1] });
      // A 5xx is judged by its own clause.
      const broken = [inSandbox, inLive].find(isServerFailure);
      if (broken !== undefined) {
        const message = `Cannot compare ${endpoint}: ${describeAnswer(broken)}`;
        throw undecided(broken, message, 'developer.errors.no-server-error');
      }
      judgeThat(tally, inSandbox.status === inLive.status, inLive, {
        message: `${endpoint} answers differently: ${describeAnswer(inSandbox)} in the sandbox, ${describeAnswer(inLive)} live`,
        expected: describeAnswer(inSandbox),
        actual: describeAnswer(inLive),
      });
      for (const place of ['', documentedObjects[endpoint]].filter((one) => one !== undefined)) {
        judgeFields(tally, endpoint, place, [inSandbox, inLive]);
      }
    });
    return { endpoints: comparedReads.length, keys: keys.map(({ label }) => label) };
  },

  'developer.sandbox.reseed': atMoment('quiet', async (session) => {
    const first = await seed(session);
    const { before = 0, again, after = 0 } = await seededAgain(session);
    return {
      second: describeAnswer(again),
      data: again.payload,
      campaigns: after < before ? 'fewer than before' : after > before ? 'more than before' : 'as many as before',
      // Measured, not compared from run to run: it depends on how often the sandbox was seeded before.
      measured: { first: first.accepted ? first.payload : describeAnswer(first), before, after },
    };
  }),
};

/** Seeds the sandbox once more, and counts campaigns before and after. */
const seededAgain = step(async (session) => {
  await filledSandbox(session);
  await session.until('quiet');
  const before = recordCount(await readCampaigns(session));
  const again = await send(session, `POST ${seedPath}`, { key: requireKey(session, 'SANDBOX_API_KEY') });
  return { before, again, after: recordCount(await readCampaigns(session)) };
});

// --- Parity

/** Where the documented objects are whose field names are compared: by endpoint, a JSON pointer. */
const documentedObjects: Readonly<Record<string, string>> = {
  'GET /api/v1/ads/campaigns': '/data/campaigns',
  'GET /api/v1/ads/health-score': '/data',
  'GET /api/v1/investor/pipeline': '/data/deals',
};

/** GETs that both environments have: the seed state is the sandbox's alone. */
const comparedReads = developerEndpoints.filter((endpoint) => isPlainRead(endpoint) && endpoint.path !== seedPath);

/** Fewer records of a list do not show which of their fields are optional. */
const fewestRecords = 3;

/** No field at a place, a JSON pointer, is filled in every object of one environment and absent in all of the other. */
function judgeFields(tally: Tally, what: string, place: string, answers: readonly [Answer, Answer]): void {
  const values = answers.map(({ json }) => at(json, place));
  const [sandbox = [], live = []] = values.map((one) => [one].flat().filter(isObject));
  if (Math.min(sandbox.length, live.length) < (values.some(Array.isArray) ? fewestRecords : 1)) {
    return;
  }
  const onlySandbox = fieldsOnlyIn(sandbox, live);
  const onlyLive = fieldsOnlyIn(live, sandbox);
  judgeThat(tally, onlySandbox.length + onlyLive.length === 0, answers[1], {
    message: `${what} has different fields in live and sandbox`,
    place: place === '' ? 'envelope' : place,
    expected: 'the same field names',
    actual: `only in the sandbox: ${onlySandbox.join(', ') || 'none'}; only live: ${onlyLive.join(', ') || 'none'}`,
  });
}

/** The fields that have a value in all of some rows, and that no other row has. */
const fieldsOnlyIn = (rows: readonly JsonObject[], others: readonly JsonObject[]): string[] =>
  Object.keys(rows[0] ?? {}).filter(
    (name) => rows.every((row) => !isEmptyValue(row[name])) && others.every((row) => !(name in row)),
  );
