import { show } from '../../common/schema.ts';
import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { keyPrefix, scopes } from '../../contract/scopes.ts';
import { createGenerator } from '../../fixtures/generator.ts';
import { createTally, judged, observed, type Tally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Checks } from '../engine/engine.ts';
import { accepted, cameOf, expectAccepted, expectStatus, findingOn } from '../engine/expect.ts';
import { partly } from '../engine/partly.ts';
import { type Answer, callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import type { Session } from '../session/session.ts';
import { endpoint, mainKey } from './calls.ts';
import { exemplar } from './exemplars.ts';
import { type DocumentedMode, sentIn } from './key-mode.ts';
import { keyModes } from './key-modes.ts';
import { keyLife, removed, rotatedKey, tryKey, workingRead } from './lifecycle.ts';
import { createdKey, liveKey, makeKey } from './make-key.ts';
import { type OwnKey, ownKeyOf } from './own-keys.ts';
import { callAs, judgeRefusal } from './refusals.ts';

const alphabet = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Another character of the same kind, so that the key keeps its look. */
const alter = (secret: string, index: number): string => {
  const at = (index + secret.length) % secret.length;
  const other = secret[at] === 'a' || secret[at] === 'A' ? 'b' : 'a';
  return (
    secret.slice(0, at) +
    (/[0-9]/.test(secret[at] ?? '') ? String((Number(secret[at]) + 1) % 10) : other) +
    secret.slice(at + 1)
  );
};

/** Keys that were never issued: the forms that the clause names. None is looked like by a real one. */
export function neverIssued(session: Session): readonly ApiKey[] {
  const main = mainKey(session);
  const faker = createGenerator(session.seed)(`never issued ${session.tag}`);
  const length = Math.max(main.secret.length - 9, 24);
  const random = (): string => faker.string.fromCharacters(alphabet, length);
  const key = (label: string, secret: string): ApiKey => ({ secret, label, environment: 'sandbox', origin: 'unknown' });
  return [
    key('unknown test key', keyPrefix.sandbox + random()),
    key('unknown live key', keyPrefix.live + random()),
    key(`${main.label} with its last character altered`, alter(main.secret, -1)),
    key('unknown key without a prefix', random()),
    key('empty key', ''),
  ];
}

/** A real key as only a slack comparison takes it for the real one: tried on one endpoint, since one comparison serves all. */
export function nearlyReal(session: Session): readonly ApiKey[] {
  const { secret, label } = mainKey(session);
  const cased = [...secret].findLastIndex(
    (letter, index) => index >= 9 && letter.toLowerCase() !== letter.toUpperCase(),
  );
  const letter = secret[cased] ?? '';
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  const key = (what: string, altered: string): ApiKey => ({
    secret: altered,
    label: `${label} ${what}`,
    environment: 'sandbox',
    origin: 'unknown',
  });
  return [
    ...(cased === -1
      ? []
      : [key('with the case of one letter altered', secret.slice(0, cased) + other + secret.slice(cased + 1))]),
    key('with a character in its middle altered', alter(secret, Math.floor((secret.length + 9) / 2))),
    key('with one character more', `${secret}0`),
    key('with its last character cut off', secret.slice(0, -1)),
  ];
}

/** One refusal probe: a key, and how it is sent. */
interface Probe {
  readonly key: ApiKey;
  readonly how: { readonly mode?: DocumentedMode };
  readonly says: string;
}

const inUsualMode = (key: ApiKey): Probe => ({
  key,
  how: {},
  says: `Never issued key (${key.label}) is not refused with 401`,
});
const inQuery = (key: ApiKey): Probe => ({
  key,
  how: { mode: 'query' },
  says: `Never issued key (${key.label}, in the query) is not refused with 401`,
});

/** Every endpoint gets each form in the usual mode, and one in the query, another for each endpoint. */
const probesFor = (forms: readonly ApiKey[], index: number): Probe[] => [
  ...forms.map(inUsualMode),
  inQuery(forms[index % forms.length] as ApiKey),
];

/** Authentication: how keys are sent, and which are refused. */
export const auth: Checks = {
  'developer.auth.header': async (session) =>
    judged(...(await acceptedSomewhere(session, 'header', 'Key in X-API-Key is refused'))),

  'developer.auth.query': async (session) =>
    judged(...(await acceptedSomewhere(session, 'query', 'Key in the query parameter api_key is refused'))),

  'developer.auth.missing-key': async (session) => {
    const tally = createTally();
    await Promise.all(
      developerEndpoints.map((target) =>
        partly(tally, async () => {
          const { answer: twin } = await exemplar(session, target.id);
          const probe = await callAs(session, target, null);
          judgeRefusal(tally, {
            probe,
            twin,
            endpoint: target,
            status: 401,
            what: 'Call without a key is not refused with 401',
          });
        }),
      ),
    );
    return tally.outcome();
  },

  'developer.auth.invalid-key': async (session) => {
    const tally = createTally();
    const forms = neverIssued(session);
    await Promise.all(
      developerEndpoints.map((target, index) => judgeProbes(session, tally, target, probesFor(forms, index))),
    );
    // One comparison serves all endpoints: what only a slack one takes, and the query's forms, are tried on one that works.
    await partly(tally, async () => {
      const target = endpoint(await workingRead(session));
      await judgeProbes(session, tally, target, [...nearlyReal(session).map(inUsualMode), ...forms.map(inQuery)]);
    });
    return tally.outcome();
  },

  'developer.auth.deleted-key': async (session) => {
    const { used, deleted, usedAfter } = await keyLife(session);
    if (!accepted(used)) {
      throw unused(used, 'developer.keys.create');
    }
    if (!removed(deleted)) {
      throw unused(deleted, 'developer.keys.delete');
    }
    return judged(
      expectStatus(
        usedAfter,
        401,
        `Deleted key still works ${session.settings.KEY_SETTLE_MS} ms after its deletion`,
        accepted(usedAfter) ? 'A cache of keys that outlives the deletion' : undefined,
      ),
    );
  },

  'developer.auth.sandbox-prefix': async (session) =>
    judged(prefixFinding(await ownSandboxKey(session), keyPrefix.sandbox)),

  'developer.auth.live-prefix': async (session) => judged(prefixFinding(await liveKey(session), keyPrefix.live)),

  'developer.auth.precedence': async (session) => {
    const target = endpoint(await workingRead(session));
    const [valid, unknown] = [mainKey(session), neverIssued(session)[0] as ApiKey];
    const send = (key: ApiKey, queryKey: ApiKey): Promise<Answer> =>
      session.client.send(callOf(target, key, { mode: 'header', queryKey, purpose: 'off-document' }));
    const [header, query] = await Promise.all([send(valid, unknown), send(unknown, valid)]);
    return observed({
      validInHeader: cameOf(header),
      validInQuery: cameOf(query),
      wins: accepted(header)
        ? accepted(query)
          ? 'either, if it is valid'
          : 'header'
        : accepted(query)
          ? 'query'
          : 'neither',
    });
  },

  'developer.auth.rotated-key': async (session) => {
    const { before, answer } = await rotatedKey(session);
    if (!accepted(answer)) {
      throw unused(answer, 'developer.keys.rotate');
    }
    const tryOld = (): Promise<Answer> =>
      tryKey(session, { ...before.key, origin: 'unknown' }, { purpose: 'off-document' });
    const atOnce = await tryOld();
    await session.clock.sleep(session.settings.KEY_SETTLE_MS);
    const later = await tryOld();
    return observed({
      oldSecretAtOnce: cameOf(atOnce),
      [`oldSecretAfter${session.settings.KEY_SETTLE_MS}Ms`]: cameOf(later),
    });
  },

  'developer.auth.other-modes': async (session) => observed(await keyModes(session)),
};

/** Whether one documented read accepts the key that way: those after the first are tried only where it does not. */
async function acceptedSomewhere(session: Session, mode: DocumentedMode, what: string): Promise<(Finding | null)[]> {
  const findings: Finding[] = [];
  for (const id of [
    'GET /api/v1/ads/health-score',
    'GET /api/v1/investor/pipeline',
    'GET /api/v1/inbox/skills',
    'GET /api/v1/developer/keys',
  ]) {
    const finding = expectAccepted(await sentIn(session, mode, id), what);
    if (finding === null) {
      return [null];
    }
    findings.push(finding);
  }
  return findings;
}

/** Judges refusals of one endpoint, each beside the call that was accepted. */
async function judgeProbes(session: Session, tally: Tally, target: Endpoint, probes: readonly Probe[]): Promise<void> {
  await Promise.all(
    probes.map(({ key, how, says }) =>
      partly(tally, async () => {
        const { answer: twin } = await exemplar(session, target.id);
        judgeRefusal(tally, {
          probe: await callAs(session, target, key, how),
          twin,
          endpoint: target,
          status: 401,
          what: says,
        });
      }),
    ),
  );
}

const unused = (answer: Answer, clause: string): Inconclusive =>
  new Inconclusive(
    findingOn(answer, {
      message: `Cannot be judged: ${cameOf(answer)}`,
      expected: '2xx',
      actual: cameOf(answer),
      blames: clause,
    }),
  );

/** The key whose life is followed, where it is a sandbox one. */
async function ownSandboxKey(session: Session): Promise<OwnKey> {
  if (mainKey(session).environment !== 'sandbox') {
    return makeKey(session, 'sandbox', scopes, 'sandbox');
  }
  const { answer, entry } = await createdKey(session);
  return ownKeyOf(session, { answer, entry, purpose: 'lifecycle', environment: 'sandbox', pointer: '/data' });
}

function prefixFinding({ key, answer, places }: OwnKey, prefix: string): Finding | null {
  if (key.secret.startsWith(prefix)) {
    return null;
  }
  return findingOn(answer, {
    message: `New ${key.environment} key begins otherwise than with ${prefix}`,
    expected: `a key that starts with ${prefix}`,
    actual: show(key.secret.slice(0, Math.min(9, key.secret.length >> 2))),
    place: places.secret,
  });
}
