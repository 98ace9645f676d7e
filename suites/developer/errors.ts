import { isObject } from '../../common/json.ts';
import { encoded } from '../../common/uri.ts';
import { developerErrorCodes } from '../../contract/errors.ts';
import { createTally, type Outcome, observed } from '../../results/outcome.ts';
import type { Checks } from '../engine/check.ts';
import { judgeAll } from '../engine/every-response.ts';
import { expectStatus } from '../engine/expect.ts';
import { judgePart, resultOrNull } from '../engine/parts.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import type { Answered } from '../session/evidence/evidence.ts';
import type { Session } from '../session/session.ts';
import { judgeServerErrors, judgeStatuses } from '../shared/every-response.ts';
import { isListed } from '../shared/lists/created.ts';
import { judgeUnknownPath } from '../shared/refusals/stray-calls.ts';
import { judgeUnknownIds } from '../shared/unknown-ids/unknown-ids.ts';
import { judgeBrokenBodies, judgeNotAnObject } from './support/calls/odd-bodies.ts';
import { twinOf } from './support/calls/twins.ts';
import { isOpenRefusal } from './support/data/seeding.ts';
import { codeTrouble, errorShape, tellCode } from './support/error-object.ts';
import { firstDeleted, firstKey, firstListed, firstListedAfter } from './support/keys/key-life.ts';
import { unknownToLive } from './support/keys/live-key-life.ts';
import { ownEnvironment } from './support/keys/make-key.ts';
import { keysPath, type OwnKey } from './support/keys/own-key.ts';

const hasCode = ({ response: { status, json } }: Answered): boolean =>
  String(status) in developerErrorCodes && isObject(json);

/** Errors: codes, statuses, and what is not there. */
export const errors: Checks = {
  'developer.errors.code': async ({ evidence }) =>
    judgeAll(evidence.responses.filter(hasCode), {
      expected: 'the code that the document lists for the status',
      place: '/error',
      trouble: ({ response }) => codeTrouble(response),
      tell: tellCode,
    }),

  'developer.errors.status-known': async (session) =>
    judgeStatuses({
      expected: 'a success, or one of 400, 401, 403, 404, 429, 500',
      isKnown: (status) => (status >= 200 && status <= 299) || String(status) in developerErrorCodes,
      isOpen: await isOpenRefusal(session),
    })(session),

  'developer.errors.no-server-error': judgeServerErrors,
  'developer.errors.shape': async ({ evidence }) => observed(errorShape(evidence.responses)),

  'developer.errors.malformed-json': judgeBrokenBodies,
  'developer.errors.not-an-object': judgeNotAnObject,

  'developer.errors.not-found': judgeUnknownKeys,

  'developer.errors.unknown-path': (session) =>
    judgeUnknownPath(session, {
      expected: 'the envelope with error.code NOT_FOUND',
      // A framework's own failures have a field `error` too.
      isOwn: (body) => 'success' in body || 'meta' in body,
      wrongMethod: { method: 'GET', path: '/api/v1/inbox/draft' },
      oversized: 'POST /api/v1/content/generate',
    }),
};

async function judgeUnknownKeys(session: Session): Promise<Outcome> {
  const [own, deleted] = [await firstKey(session), await firstDeleted(session)];
  // A key that its deletion left there is the matter of developer.keys.delete.
  const [before, after] = [await resultOrNull(firstListed(session)), await resultOrNull(firstListedAfter(session))];
  const isGone = after !== null && !isListed(after, before);
  const endpoints = [`DELETE ${keysPath}/:id`, `POST ${keysPath}/:id/rotate`, `GET ${keysPath}/:id/usage`];
  const tally = createTally();
  const outcome = await judgeUnknownIds(session, {
    collection: keysPath,
    real: own.id,
    deleted: deleted.accepted ? { id: own.id, answer: deleted } : null,
    mayDeleteAgain: true,
    purpose: 'refusal',
    calls: endpoints.map((endpoint) => ({
      endpoint,
      twin: async () => (await twinOf(session, endpoint)).answer,
      needsLiving: isGone && endpoint.endsWith('/rotate'),
    })),
  });
  tally.add(outcome);
  if (isRevived(session, own, deleted)) {
    session.ledger.reopen(own.record.entry);
  }
  if (ownEnvironment(session) !== 'live') {
    await judgePart(tally, async () => {
      // What an ill-formed id gets is not judged, and 401 is the matter of the rotation that the key comes from.
      for (const answer of (await unknownToLive(session)).filter(({ status }) => ![400, 401].includes(status))) {
        tally.judge(expectStatus(answer, 404, 'Unknown key id is not answered with 404 to a live key'));
      }
    });
  }
  return tally.outcome();
}

/** Whether a rotation of the key has succeeded since its deletion: then it is to be deleted once more. */
const isRevived = ({ evidence }: Session, { id }: OwnKey, { exchange }: Answer): boolean =>
  evidence.exchanges.some(
    ({ number, endpoint, request, response }) =>
      number > exchange.number &&
      endpoint === `POST ${keysPath}/:id/rotate` &&
      request.url.includes(`/${encoded(id)}/rotate`) &&
      isSuccess({ status: response?.status ?? 0 }),
  );
