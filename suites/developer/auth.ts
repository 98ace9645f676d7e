import { show } from '../../common/schema.ts';
import { keyPrefix, scopes } from '../../contract/scopes.ts';
import { judged, observed } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Check, Checks } from '../engine/check.ts';
import { describeAnswer, expectAccepted, expectStatus, findingOn, undecided } from '../engine/expect.ts';
import type { Answer } from '../session/answer.ts';
import { callOf } from '../session/call.ts';
import type { ApiKey, KeyMode } from '../session/key.ts';
import { mainKey } from '../session/keys.ts';
import type { Session } from '../session/session.ts';
import { judgeInvalidKey, judgeMissingKey } from '../shared/keys-refused.ts';
import { neverIssued } from '../shared/never-issued.ts';
import { read, workingRead } from '../shared/reads.ts';
import { keyLife, rotation, tryKey } from './support/key-life.ts';
import { createdKey, liveKey, makeKey } from './support/make-key.ts';
import { type OwnKey, ownKeyOf } from './support/own-key.ts';

/** Authentication: how keys are sent, and which are refused. */
export const auth: Checks = {
  'developer.auth.header': acceptedSomewhere('header', 'Key in X-API-Key is refused'),
  'developer.auth.query': acceptedSomewhere('query', 'Key in the query parameter api_key is refused'),
  'developer.auth.missing-key': judgeMissingKey,
  'developer.auth.invalid-key': judgeInvalidKey,

  'developer.auth.deleted-key': async (session) => {
    const { used, deleted, usedAfter } = await keyLife(session);
    if (!used.accepted) {
      throw cannotJudge(used, 'developer.keys.create');
    }
    if (!deleted.accepted) {
      throw cannotJudge(deleted, 'developer.keys.delete');
    }
    const what = `Deleted key still works ${session.settings.KEY_SETTLE_MS} ms after its deletion`;
    const cause = usedAfter.accepted ? 'A cache of keys that outlives the deletion' : undefined;
    return judged(expectStatus(usedAfter, 401, what, cause));
  },

  'developer.auth.sandbox-prefix': async (session) =>
    judged(prefixFinding(await ownSandboxKey(session), keyPrefix.sandbox)),

  'developer.auth.live-prefix': async (session) => judged(prefixFinding(await liveKey(session), keyPrefix.live)),

  'developer.auth.precedence': async (session) => {
    const endpoint = await workingRead(session);
    const [valid, unknown] = [mainKey(session), neverIssued(session)[0]];
    const send = (key: ApiKey, queryKey: ApiKey): Promise<Answer> =>
      session.client.send(callOf(endpoint, key, { mode: 'header', queryKey, purpose: 'off-document' }));
    const [header, query] = await Promise.all([send(valid, unknown), send(unknown, valid)]);
    return observed({
      validInHeader: describeAnswer(header),
      validInQuery: describeAnswer(query),
      wins: winner(header.accepted, query.accepted),
    });
  },

  'developer.auth.rotated-key': async (session) => {
    const { before, answer } = await rotation(session);
    if (!answer.accepted) {
      throw cannotJudge(answer, 'developer.keys.rotate');
    }
    const tryOld = (): Promise<Answer> =>
      tryKey(session, { ...before.key, origin: 'unknown' }, { purpose: 'off-document' });
    const { KEY_SETTLE_MS } = session.settings;
    const atOnce = await tryOld();
    await session.clock.sleep(KEY_SETTLE_MS);
    const later = await tryOld();
    return observed({
      oldSecretAtOnce: describeAnswer(atOnce),
      [`oldSecretAfter${KEY_SETTLE_MS}Ms`]: describeAnswer(later),
    });
  },

  'developer.auth.other-modes': async (session) => observed(await otherModes(session)),
};

/** Whether one documented read accepts the key that way: those after the first are tried only where it does not. */
function acceptedSomewhere(mode: KeyMode, what: string): Check {
  return async (session) => {
    const findings: Finding[] = [];
    for (const endpoint of [...session.api.probes.slice(0, 1), ...session.api.tryouts]) {
      const finding = expectAccepted(await read(session, endpoint, { mode }), what);
      if (finding === null) {
        return judged(null);
      }
      findings.push(finding);
    }
    return judged(...findings);
  };
}

function winner(headerOpens: boolean, queryOpens: boolean): string {
  if (headerOpens) {
    return queryOpens ? 'either, if it is valid' : 'header';
  }
  return queryOpens ? 'query' : 'neither';
}

/** Which undocumented ways of sending a key open a documented read (Authentication 6 states two more than it shows). */
async function otherModes(session: Session): Promise<Record<string, string>> {
  const endpoint = await workingRead(session);
  const answers = await Promise.all(
    (['bearer', 'basic', 'cookie'] as const).map(async (mode) => {
      const answer = await session.client.send(callOf(endpoint, mainKey(session), { mode, purpose: 'off-document' }));
      return [mode, answer.accepted ? 'accepted' : `refused: ${describeAnswer(answer)}`] as const;
    }),
  );
  return Object.fromEntries(answers);
}

const cannotJudge = (answer: Answer, clause: string): ReturnType<typeof undecided> =>
  undecided(answer, `Cannot be judged: ${describeAnswer(answer)}`, clause);

/** The key whose life is followed, where it is a sandbox one. */
async function ownSandboxKey(session: Session): Promise<OwnKey> {
  if (mainKey(session).environment !== 'sandbox') {
    return makeKey(session, 'sandbox', scopes, 'sandbox');
  }
  return ownKeyOf(session, await createdKey(session), { purpose: 'first', environment: 'sandbox' });
}

function prefixFinding({ key, record, places }: OwnKey, prefix: string): Finding | null {
  if (key.secret.startsWith(prefix)) {
    return null;
  }
  return findingOn(record.answer, {
    message: `New ${key.environment} key begins otherwise than with ${prefix}`,
    expected: `a key that starts with ${prefix}`,
    actual: show(key.secret.slice(0, Math.min(9, key.secret.length >> 2))),
    place: places.secret,
  });
}
