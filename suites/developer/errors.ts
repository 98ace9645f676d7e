import { at, isObject, walk } from '../../common/json.ts';
import { show } from '../../common/schema.ts';
import { developerErrorCodes } from '../../contract/errors.ts';
import { createTally, judged, observed } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Checks } from '../engine/engine.ts';
import { type Answered, judgeAll } from '../engine/every-response.ts';
import { accepted, cameOf, expectStatus, findingOn } from '../engine/expect.ts';
import { partly } from '../engine/partly.ts';
import { type Answer, callOf } from '../session/call.ts';
import { answered } from '../session/evidence.ts';
import type { Session } from '../session/session.ts';
import { bodyFor, endpoint, mainKey } from './calls.ts';
import { errorShape } from './error-shape.ts';
import { exemplar } from './exemplars.ts';
import { keyLife } from './lifecycle.ts';
import { createdKey } from './make-key.ts';
import { createKey } from './own-keys.ts';
import { unknownIds } from './unknown-ids.ts';

const hasErrorCode = ({ response }: Answered): boolean =>
  String(response.status) in developerErrorCodes && isObject(response.json);

/** What is wrong with the code of a refusal, which may sit in any field of the error object (Errors, rule 2); null: nothing. */
export function codeTrouble({ response }: Pick<Answered, 'response'>): string | null {
  const error = at(response.json, '/error');
  const code = developerErrorCodes[response.status];
  if (!isObject(error)) {
    return `no object that could hold the code of a ${response.status}`;
  }
  return walk(error).some(({ value }) => value === code)
    ? null
    : `without ${code} on ${response.status}${codeFound(error)}`;
}

function codeFound(error: unknown): string {
  const word = walk(error)
    .map(({ value }) => value)
    .find((value) => typeof value === 'string' && /^[A-Z_]+$/i.test(value));
  return word === undefined ? '' : `, with ${show(word, 40)}`;
}

/** Larger than the usual default limits of web frameworks and proxies (100 kB to 1 MiB). */
const oversized = 1_250_000;

/** Errors: codes, statuses, and what is not there. */
export const errors: Checks = {
  'developer.errors.code': async ({ evidence }) =>
    judgeAll(answered(evidence).filter(hasErrorCode), {
      expected: 'the code that the document lists for the status',
      place: '/error',
      trouble: codeTrouble,
    }),

  'developer.errors.status-known': async ({ evidence }) =>
    judgeAll(
      answered(evidence).filter(({ purpose }) => purpose !== 'off-document'),
      {
        expected: 'a success, or one of 400, 401, 403, 404, 429, 500',
        place: 'status',
        trouble: ({ response }) =>
          Math.floor(response.status / 100) === 2 || String(response.status) in developerErrorCodes
            ? null
            : String(response.status),
      },
    ),

  'developer.errors.no-server-error': async ({ evidence }) =>
    judgeAll(
      answered(evidence).filter(({ purpose }) => purpose === 'documented'),
      {
        expected: 'no 5xx on a documented, well-formed request',
        place: 'status',
        trouble: ({ response }) => (response.status < 500 ? null : String(response.status)),
      },
    ),

  'developer.errors.shape': async ({ evidence }) => observed(errorShape(answered(evidence))),

  'developer.errors.malformed-json': async (session) => {
    // Of all bodies, that of a key is the one whose every field the document shows: nothing in it is a guess.
    const { answer: twin, body } = await createdKey(session);
    if (!accepted(twin)) {
      throw untwinned(twin, 'developer.keys.create');
    }
    const broken = JSON.stringify(body).slice(0, -1);
    const { answer: probe } = await createKey(session, broken, mainKey(session), { purpose: 'off-document' });
    return judged(expectStatus(probe, 400, 'Body that is not JSON is not refused with 400'));
  },

  'developer.errors.not-found': async (session) => {
    const { own } = await keyLife(session);
    const tally = createTally();
    await Promise.all(
      ['DELETE', 'POST', 'GET'].map((method) => partly(tally, () => judgeUnknownId(session, tally, method, own.id))),
    );
    return tally.outcome();
  },

  'developer.errors.unknown-path': async (session) => {
    const get = (path: string): Promise<Answer> =>
      session.client.send({ method: 'GET', path, key: mainKey(session), purpose: 'off-document' });
    // The other two probes are here for the clauses that judge every response: a framework's own pages show up there.
    const [unknown] = await Promise.all([
      get(`/api/v1/${session.tag}-unknown`),
      get('/api/v1/inbox/draft'),
      oversizedProbe(session),
    ]);
    return judged(expectStatus(unknown, 404, 'Unknown path is not answered with 404') ?? inEnvelope(unknown));
  },
};

/** A failure in the envelope, as far as one can be told from a framework's own, which has a field `error` too. */
function inEnvelope(answer: Answer): ReturnType<typeof findingOn> | null {
  if (isObject(answer.json) && ('success' in answer.json || 'meta' in answer.json)) {
    return null;
  }
  return findingOn(answer, {
    message: `Unknown path is answered outside the envelope: ${show(answer.text, 60)}`,
    expected: 'the envelope with error.code NOT_FOUND',
    actual: show(answer.text, 60),
    place: 'body',
    cause: "The framework's default handler answers",
  });
}

async function oversizedProbe(session: Session): Promise<void> {
  const id = 'POST /api/v1/content/generate';
  await partly(createTally(), async () => {
    const body = { ...(bodyFor(session, id, 'refused') as object), topic: 'x'.repeat(oversized) };
    await session.client.send(callOf(endpoint(id), mainKey(session), { body, purpose: 'off-document' }));
  });
}

async function judgeUnknownId(
  session: Session,
  tally: ReturnType<typeof createTally>,
  method: string,
  deletedId: string,
): Promise<void> {
  const path = { DELETE: '', POST: '/rotate', GET: '/usage' }[method] ?? '';
  const target = endpoint(`${method} /api/v1/developer/keys/:id${path}`);
  const { answer: twin } = await exemplar(session, target.id);
  if (!accepted(twin)) {
    throw untwinned(twin, target.clause);
  }
  const send = (id: string): Promise<Answer> =>
    session.client.send(callOf(target, mainKey(session), { id, purpose: 'refusal' }));
  const [deleted, ...others] = unknownIds(deletedId);
  const first = await send(deleted);
  let probe = first;
  // A deployment may remember the key that was deleted: then an id that nobody ever had decides, unless it is ill-formed there.
  for (const id of others) {
    if (probe.status !== 404) {
      probe = await send(id);
    }
  }
  if (accepted(first) && (probe === first || probe.status === 400)) {
    tally.leaveOpen(
      findingOn(probe, {
        message: `Deleted key's id gets ${cameOf(first)}: the key may be remembered, and no other id was found that is unknown and well-formed`,
        cause: 'Long ids without check digits would decide it',
      }),
    );
  } else {
    tally.judge(expectStatus(probe, 404, 'Unknown key id is not answered with 404'));
  }
}

const untwinned = (twin: Answer, clause: string): Inconclusive =>
  new Inconclusive(
    findingOn(twin, {
      message: `Cannot be judged: the accepted twin got ${cameOf(twin)}`,
      expected: '2xx',
      actual: cameOf(twin),
      blames: clause,
    }),
  );
