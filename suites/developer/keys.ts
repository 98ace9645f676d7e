import { scopes } from '../../contract/scopes.ts';
import { keyBody } from '../../fixtures/developer-bodies.ts';
import { createTally, judged, observed } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Checks } from '../engine/engine.ts';
import { accepted, cameOf, expectAccepted, expectStatus, findingOn } from '../engine/expect.ts';
import { partly } from '../engine/partly.ts';
import type { Answer } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import { givenKey, mainKey } from './calls.ts';
import { keyLife, removed, rotatedKey, tryKey, usageDays } from './lifecycle.ts';
import { createdKey, liveKey } from './make-key.ts';
import { createKey, findSecret, keyName } from './own-keys.ts';

/** API key management. */
export const keys: Checks = {
  'developer.keys.create': async (session) => {
    const { answer } = await createdKey(session);
    const refused =
      expectAccepted(answer, 'Key cannot be created') ??
      (findSecret(answer.json)
        ? null
        : findingOn(answer, {
            message: 'Created key cannot be used: the answer shows no secret',
            expected: 'a secret in some field of data',
            actual: 'none',
            place: '/data',
          }));
    if (refused) {
      return judged(refused);
    }
    const { used, own } = await keyLife(session);
    const tally = createTally();
    tally.judge(expectAccepted(used, 'Created key is refused'));
    await partly(tally, async () => {
      const live = await tryKey(session, (await liveKey(session)).key);
      tally.judge(live.status === 401 ? expectAccepted(live, 'Created live key is refused') : null);
    });
    return tally.outcome(own.places);
  },

  'developer.keys.create-validation': async (session) => {
    const tally = createTally();
    const { answer: twin, body } = await createdKey(session);
    if (!accepted(twin)) {
      throw blame(twin, 'developer.keys.create');
    }
    await Promise.all(
      illFormed(body as Record<string, unknown>, session).map(({ says, wrong }) =>
        partly(tally, async () => {
          const { answer } = await createKey(session, wrong, mainKey(session), { purpose: 'refusal' });
          tally.judge(expectStatus(answer, 400, `Key request with ${says} is not refused with 400`));
        }),
      ),
    );
    return tally.outcome();
  },

  'developer.keys.list': async (session) => {
    const { listed, own } = await keyLife(session);
    if (listed.shows === 'unknown') {
      throw new Inconclusive(
        findingOn(listed.answer, {
          message: `Key ${own.id} is not on the pages of the list that could be read`,
          cause: 'A list that shows all keys, or how to get on, would decide it',
        }),
      );
    }
    return judged(
      expectAccepted(listed.answer) ??
        (listed.shows
          ? null
          : findingOn(listed.answer, {
              message: 'Key list does not show a key that was created',
              expected: `a record with id ${own.id}`,
              actual: 'none',
              place: '/data',
            })),
    );
  },

  'developer.keys.delete': async (session) => {
    const { listed, deleted, listedAfter, own } = await keyLife(session);
    const refused = removed(deleted) ? null : expectAccepted(deleted, 'Key cannot be deleted');
    if (refused) {
      return judged(refused);
    }
    if (listed.shows !== true || !accepted(listedAfter.answer)) {
      throw new Inconclusive(
        findingOn(listedAfter.answer, {
          message: 'Deletion succeeds, and the key list does not show what came of it',
          blames: 'developer.keys.list',
        }),
      );
    }
    return judged(
      null,
      listedAfter.shows === true
        ? findingOn(listedAfter.answer, {
            message: 'Deleted key is still listed',
            expected: `no record with id ${own.id}`,
            actual: 'a record with it',
            place: '/data',
          })
        : null,
    );
  },

  'developer.keys.rotate': async (session) => {
    const { before, answer, after } = await rotatedKey(session);
    const secret = findSecret(answer.json);
    const refused =
      expectAccepted(answer, 'Key cannot be rotated') ??
      (secret && secret.secret !== before.key.secret
        ? null
        : findingOn(answer, {
            message: 'Rotation hands out no new secret',
            expected: 'another secret than before',
            actual: secret ? 'the old secret' : 'no secret',
            place: secret?.pointer ?? '/data',
          }));
    if (refused) {
      return judged(refused);
    }
    return judged(expectAccepted(await tryKey(session, after().key), 'Rotated key is refused'));
  },

  'developer.keys.usage': async (session) => {
    const { usage } = await keyLife(session);
    return judged(
      ...usageDays.documented.map((days) =>
        expectAccepted(
          usage[days] as Answer,
          `Usage ${days === 'none' ? 'without days' : `with days=${days}`} does not succeed`,
        ),
      ),
    );
  },

  'developer.keys.usage-days': async (session) => {
    const { usage } = await keyLife(session);
    return observed(Object.fromEntries(usageDays.open.map((days) => [`days=${days}`, cameOf(usage[days] as Answer)])));
  },

  'developer.keys.secret-not-listed': async (session) => {
    const {
      listed: { answer: listed },
      own,
    } = await keyLife(session);
    if (!accepted(listed)) {
      throw blame(listed, 'developer.keys.list');
    }
    const given = (['SANDBOX_API_KEY', 'LIVE_API_KEY', 'ENTERPRISE_API_KEY'] as const).map((setting) =>
      givenKey(session, setting),
    );
    const known = [{ ...own.key, label: 'the created key' }, ...given.filter((key) => key !== undefined)];
    const givenAway = known.find(({ secret }) => listed.text.includes(secret))?.label ?? null;
    return judged(
      givenAway === null
        ? null
        : findingOn(listed, {
            message: `Key list gives away the whole secret of ${givenAway}`,
            expected: 'a prefix of it at most',
            actual: 'the secret',
          }),
    );
  },
};

const blame = (answer: Answer, clause: string): Inconclusive =>
  new Inconclusive(findingOn(answer, { message: `Cannot be judged: ${cameOf(answer)}`, blames: clause }));

/** The key request with one thing wrong at a time (API key request; What the service does, rule 1). */
function illFormed(
  body: Record<string, unknown>,
  session: Session,
): { says: string; wrong: Record<string, unknown> }[] {
  const without = (field: string): Record<string, unknown> =>
    Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
  const withScopes = (...names: unknown[]): Record<string, unknown> => ({
    ...keyBody(keyName(session, 'ill-formed'), 'sandbox', scopes),
    ...body,
    scopes: names,
  });
  return [
    { says: 'no name', wrong: without('name') },
    { says: 'no environment', wrong: without('environment') },
    { says: 'no scopes', wrong: without('scopes') },
    { says: 'an environment outside live and sandbox', wrong: { ...body, environment: 'staging' } },
    { says: 'scopes that are a text, not an array', wrong: { ...body, scopes: 'ads:read' } },
    { says: 'scopes that are an array of numbers', wrong: withScopes(1, 2) },
    { says: 'a scope without read or write (ads)', wrong: withScopes('ads:read', 'ads') },
    { says: 'a scope of another kind (ads:admin)', wrong: withScopes('ads:read', 'ads:admin') },
    { says: "a scope whose prefix is no module's", wrong: withScopes('ads:read', `${session.tag}:read`) },
  ];
}
