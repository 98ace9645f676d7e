import { dataSchemas } from '../../contract/schemas.ts';
import { judged } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Check, Checks } from '../engine/engine.ts';
import { accepted, expectAccepted, expectSchema } from '../engine/expect.ts';
import type { Answer } from '../session/call.ts';
import { endpoint, givenKey, read } from './calls.ts';
import { exemplar, unlessGuess } from './exemplars.ts';
import { filterCheck } from './filters.ts';

/**
 * A documented GET succeeds; where the document shows the data, it is as shown. Behaviour is identical between sandbox and
 * live (What the service does), so the live answer, which parity reads anyhow, is judged as well.
 */
const reads =
  (id: string): Check =>
  async (session) => {
    const live = givenKey(session, 'LIVE_API_KEY');
    const answers = await Promise.all([read(session, id), ...(live ? [read(session, id, undefined, live)] : [])]);
    return judged(...answers.flatMap((answer) => readFindings(answer, id)));
  };

function readFindings(answer: Answer, id: string): (Finding | null)[] {
  const { schema } = endpoint(id);
  if (!accepted(answer) || schema === undefined) {
    return [expectAccepted(answer, `${id} does not succeed with ${answer.exchange.keyLabel ?? ''}`)];
  }
  const findings = expectSchema(answer, dataSchemas[schema], '/data');
  return findings.length === 0 ? [null] : findings;
}

/** A documented POST succeeds; a guessed body that gets 400 decides nothing. */
const posts =
  (id: string): Check =>
  async (session) => {
    const { answer } = unlessGuess(id, await exemplar(session, id));
    return judged(expectAccepted(answer));
  };

/** Clauses of the six modules that one plain call decides. */
export const modules: Checks = {
  'developer.ads.campaigns': reads('GET /api/v1/ads/campaigns'),
  'developer.ads.campaigns-status': filterCheck('GET /api/v1/ads/campaigns', 'status', 'campaign'),
  'developer.ads.health-score': reads('GET /api/v1/ads/health-score'),
  'developer.ads.audits-create': posts('POST /api/v1/ads/audits'),
  'developer.ads.audits-list': reads('GET /api/v1/ads/audits'),
  'developer.investor.pipeline': reads('GET /api/v1/investor/pipeline'),
  'developer.investor.readiness': reads('GET /api/v1/investor/readiness'),
  'developer.investor.data-room': reads('GET /api/v1/investor/data-room'),
  'developer.investor.updates-list': reads('GET /api/v1/investor/updates'),
  'developer.investor.updates-create': posts('POST /api/v1/investor/updates'),
  'developer.scheduling.bookings': reads('GET /api/v1/developer/export/bookings'),
  'developer.scheduling.bookings-status': filterCheck('GET /api/v1/developer/export/bookings', 'status', 'booking'),
  'developer.scheduling.leads': reads('GET /api/v1/developer/export/leads'),
  'developer.scheduling.leads-status': filterCheck('GET /api/v1/developer/export/leads', 'status', 'lead'),
  'developer.scheduling.leads-source': filterCheck('GET /api/v1/developer/export/leads', 'source', 'lead'),
  'developer.inbox.categorize': posts('POST /api/v1/inbox/categorize'),
  'developer.inbox.skills': reads('GET /api/v1/inbox/skills'),
  'developer.inbox.skills-learn': posts('POST /api/v1/inbox/skills/learn'),
  'developer.routing.me': reads('GET /api/v1/platform/me'),
  'developer.routing.me-subscriptions': reads('GET /api/v1/platform/me/subscriptions'),
  'developer.content.posts': reads('GET /api/v1/content/posts'),
  'developer.content.posts-status': filterCheck('GET /api/v1/content/posts', 'status', 'post'),
  'developer.content.review': posts('POST /api/v1/content/review'),
};
