import { createRedactor } from '../../common/redact.ts';
import { secretsIn } from '../../settings/settings.ts';
import type { NoInbox } from '../../webhooks/inbox/inbox.ts';
import type { Api } from './api.ts';
import { createMoments } from './attribution.ts';
import type { ApiKey, SentCall } from './call.ts';
import { createClient } from './client.ts';
import { createEvidence } from './evidence/evidence.ts';
import { createOwnRecords } from './evidence/own-records.ts';
import { createCallBook } from './pace/call-book.ts';
import { createPacer } from './pace/pacer.ts';
import { createPolicy } from './pace/policy.ts';
import { createWriteGuard } from './pace/write-guard.ts';
import type { Session, SessionParts } from './session.ts';

const noInbox: NoInbox = { kind: 'no inbox', reason: 'This run has no webhook receiver' };

/** Opens a session with an API; sends nothing. */
export function openSession(api: Api<Session>, parts: SessionParts): Session {
  const { transport, clauses, ...given } = parts;
  const { settings, ledger, tag } = given;
  // No document gives a limit for calls without a valid key.
  const perMinute = (key: ApiKey): number => (key.origin === 'unknown' ? Infinity : api.perMinute(key, settings));
  const sent: SentCall[] = [];
  const book = createCallBook(parts.clock, api, sent, perMinute);
  const redactor = createRedactor([tag]);
  secretsIn(settings).forEach(redactor.learn);
  const known = {
    userBodies: {},
    documentBodies: {},
    shapes: {},
    inbox: noInbox,
    ...given,
    api,
    clock: book.metered(parts.clock),
    evidence: createEvidence(),
    records: createOwnRecords(sent),
    redactor,
    writeGuard: createWriteGuard(api, ledger, sent),
    book,
  };
  const client = createClient({
    ...known,
    sent,
    transport,
    perMinute,
    policy: createPolicy(api, settings, () => ledger.toDelete().length),
    pacer: createPacer({
      clock: parts.clock,
      onWait({ origin, environment }, ms) {
        const whose = `the ${api.keysShareBudget ? api.name : `${environment} key`}'s rate limit`;
        book.noteWait(origin === 'unknown' ? 'the rate limit of calls without a valid key' : whose, ms);
      },
      clockSpeed: settings.CLOCK_SPEED,
      perMinute,
      keysShareBudget: api.keysShareBudget,
    }),
    usualMode: () => api.usualMode(session),
  });
  let tags = 0;
  const session: Session = {
    ...known,
    ...createMoments(),
    client,
    clauses: new Set(clauses),
    openedAt: known.clock.now(),
    nextRecord() {
      tags += 1;
      return { tag: `${tag}-${String(tags).padStart(2, '0')}`, number: tags };
    },
    steps: new Map(),
  };
  return session;
}
