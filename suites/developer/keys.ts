import { endpointOf } from '../../contract/endpoints.ts';
import { createTally, judged, type Outcome, observed } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Checks } from '../engine/check.ts';
import { describeAnswer, expectAccepted, expectStatus, findingOn, undecided } from '../engine/expect.ts';
import { judgePart } from '../engine/parts.ts';
import type { Answer } from '../session/answer.ts';
import { givenKey } from '../session/keys.ts';
import type { Session } from '../session/session.ts';
import { judgeNotShown, judgeShown } from '../shared/created.ts';
import { type Body, without } from './support/bodies.ts';
import { keyLife, rotation, tryKey, usageDays } from './support/key-life.ts';
import { createdKey, liveKey } from './support/make-key.ts';
import { keysPath, secretIn } from './support/own-key.ts';

/** API key management. */
export const keys: Checks = {
  'developer.keys.create': async (session) => {
    const { answer } = await createdKey(session);
    const refused = expectAccepted(answer, 'Key cannot be created') ?? secretFinding(answer);
    if (refused !== null) {
      return judged(refused);
    }
    const { used, own } = await keyLife(session);
    const tally = createTally();
    tally.judge(expectAccepted(used, 'Created key is refused'));
    await judgePart(tally, async () => {
      const live = await tryKey(session, (await liveKey(session)).key);
      tally.judge(live.status === 401 ? expectAccepted(live, 'Created live key is refused') : null);
    });
    return tally.outcome(own.places);
  },

  'developer.keys.create-validation': judgeValidation,

  'developer.keys.list': async (session) => {
    const { listed, own } = await keyLife(session);
    const tally = createTally();
    if (listed.first.accepted) {
      judgeShown(tally, listed, own.record);
    } else {
      tally.judge(expectAccepted(listed.first));
    }
    return tally.outcome();
  },

  'developer.keys.delete': async (session) => {
    const { listed, deleted, listedAfter, own } = await keyLife(session);
    const refused = expectAccepted(deleted, 'Key cannot be deleted');
    if (refused !== null) {
      return judged(refused);
    }
    if (!listed.isShown || !listedAfter.first.accepted) {
      const message = 'Deletion succeeds, and the key list does not show whether the key is gone';
      throw undecided(listedAfter.first, message, 'developer.keys.list');
    }
    const tally = createTally();
    tally.judge(null);
    judgeNotShown(tally, listedAfter, own.record, listed.isShown);
    return tally.outcome();
  },

  'developer.keys.rotate': async (session) => {
    const { before, answer, after } = await rotation(session);
    const secret = secretIn(answer);
    if (!answer.accepted) {
      return judged(expectAccepted(answer, 'Key cannot be rotated'));
    }
    if (secret === undefined || secret.secret === before.key.secret) {
      return judged(
        findingOn(answer, {
          message: 'Rotation hands out no new secret',
          expected: 'another secret than before',
          actual: secret === undefined ? 'no secret' : 'the old secret',
          place: secret?.pointer ?? '/data',
        }),
      );
    }
    return judged(expectAccepted(await tryKey(session, after().key), 'Rotated key is refused'));
  },

  'developer.keys.usage': async (session) => {
    const { usage } = await keyLife(session);
    const findings = usageDays.documented.map((days) =>
      expectAccepted(
        usage[days] as Answer,
        `Usage ${days === 'none' ? 'without days' : `with days=${days}`} does not succeed`,
      ),
    );
    return judged(...findings);
  },

  'developer.keys.usage-days': async (session) => {
    const { usage } = await keyLife(session);
    const seen = usageDays.open.map((days) => [`days=${days}`, describeAnswer(usage[days] as Answer)]);
    return observed(Object.fromEntries(seen));
  },

  'developer.keys.secret-not-listed': async (session) => {
    const { listed, own } = await keyLife(session);
    if (!listed.first.accepted) {
      throw undecided(listed.first, `Cannot be judged: ${describeAnswer(listed.first)}`, 'developer.keys.list');
    }
    const given = session.api.keys.flatMap(({ setting }) => givenKey(session, setting) ?? []);
    const known = [{ ...own.key, label: 'the created key' }, ...given];
    const shown = known.find(({ secret }) => listed.first.unredacted(({ holds }) => holds(secret)));
    return judged(
      shown === undefined
        ? null
        : findingOn(listed.first, {
            message: `Key list gives away the whole secret of ${shown.label}`,
            expected: 'a prefix of it at most',
            actual: 'the secret',
          }),
    );
  },
};

const secretFinding = (answer: Answer): Finding | null =>
  secretIn(answer) !== undefined
    ? null
    : findingOn(answer, {
        message: 'Created key cannot be used: the answer shows no secret',
        expected: 'a secret in some field of data',
        actual: 'none',
        place: '/data',
      });

/** A key request with one thing wrong gets 400. */
async function judgeValidation(session: Session): Promise<Outcome> {
  const tally = createTally();
  const call = await session.api.arrange(session, endpointOf(`POST ${keysPath}`), 'an ill-formed request');
  const twin = await call.twin();
  if (!twin.accepted) {
    throw undecided(twin, `Cannot be judged: ${describeAnswer(twin)}`, 'developer.keys.create');
  }
  await Promise.all(
    illFormed(session).map(({ says, wrong }) =>
      judgePart(tally, async () => {
        const probe = await call.send({ reshape: (body) => wrong(body as Body) });
        tally.judge(expectStatus(probe, 400, `Key request with ${says} is not refused with 400`));
      }),
    ),
  );
  return tally.outcome();
}

/** What may be wrong with a key request, one thing at a time (API key request; What the service does, rule 1). */
function illFormed({ tag }: Session): { says: string; wrong: (body: Body) => Body }[] {
  const lacking = (field: string): { says: string; wrong: (body: Body) => Body } => ({
    says: `no ${field}`,
    wrong: (body) => without(body, field),
  });
  const withField = (says: string, field: Body): { says: string; wrong: (body: Body) => Body } => ({
    says,
    wrong: (body) => ({ ...body, ...field }),
  });
  return [
    lacking('name'),
    lacking('environment'),
    lacking('scopes'),
    withField('an environment outside live and sandbox', { environment: 'staging' }),
    withField('scopes that are a text, not an array', { scopes: 'ads:read' }),
    withField('scopes that are an array of numbers', { scopes: [1, 2] }),
    withField('a scope without read or write (ads)', { scopes: ['ads:read', 'ads'] }),
    withField('a scope of another kind (ads:admin)', { scopes: ['ads:read', 'ads:admin'] }),
    withField("a scope whose prefix is no module's", { scopes: ['ads:read', `${tag}:read`] }),
  ];
}
