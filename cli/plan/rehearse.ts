import { isLoopback } from '../../common/uri.ts';
import { minuteMs } from '../../contract/limits.ts';
import { settings as table } from '../../contract/settings.ts';
import { createLeapingClock } from '../../fixtures/leaping-clock.ts';
import { createPlainReference } from '../../fixtures/reference/plain-deployment.ts';
import { settingsOfReference } from '../../fixtures/reference-settings.ts';
import { timingOf } from '../../results/timing.ts';
import type { Settings } from '../../settings/settings.ts';
import { developerSuite } from '../../suites/developer/suite.ts';
import { type OpenDeployment, openSuite, prepare, usersDeployment } from '../../suites/run/prepare.ts';
import { type ChosenClauses, select } from '../../suites/run/selection.ts';
import { memoryLedger } from '../../suites/session/ledger/ledger.ts';
import { handlerTransport } from '../../suites/session/transport/transport.ts';
import { preflight } from '../../suites/shared/preflight.ts';
import { workspaceSuite } from '../../suites/workspace/suite.ts';
import { createMailroom } from '../../webhooks/inbox/inbox.ts';

/** The suite of each API. */
export const suites = { developer: developerSuite, workspace: workspaceSuite };

/** What a run would send. */
export type Plan = Awaited<ReturnType<typeof rehearse>>;
export type ApiPlan = Plan['runs'][number];

/** With this seed the reference makes ids that look usual. With one in some hundred it does not, and the run sends less. */
const usualSeed = 2;

/**
 * Rehearses a whole run against the reference in this process, and counts its calls. The checks and the settings are
 * the same, so that the plan is what the run will do. Sends nothing. Throws CannotRun if the run would.
 */
export async function rehearse(choice: ChosenClauses, given: Settings) {
  const { targets, settings, embedded, seed, tag } = await prepare(given, nowhere);
  const named = targets.map(({ api }) => api);
  const selection = select(choice, named);
  // It stands still while anything is done, and then leaps to the next moment that is waited for. It begins at the start
  // of a minute, so that the same settings always give the same plan.
  const start = Math.floor(Date.now() / minuteMs) * minuteMs;
  const clock = createLeapingClock({ now: () => start, sleep: () => new Promise(() => {}) });
  const inbox = createMailroom('http://inbox.local', clock);
  const reference = createPlainReference({
    clock,
    deliver: inbox.deliver,
    seed: usualSeed,
    clockSpeed: settings.CLOCK_SPEED,
    plan: settings.WORKSPACE_PLAN,
    enterprisePerMinute: settings.ENTERPRISE_PER_MINUTE,
  });
  const began = clock.now();
  const chosen = targets.filter(({ api }) => selection.idsOf(api).length > 0);
  const rehearsed = await Promise.all(
    chosen.map(async ({ api, origin }) => {
      const isReached = settings.WEBHOOK_PUBLIC_URL !== undefined || isLoopback(origin);
      const opened = await openSuite(suites[api], {
        clock,
        seed,
        tag,
        origin: 'http://reference.invalid',
        ledger: memoryLedger(),
        settings: rehearsalSettings(settings, reference.settings),
        transport: handlerTransport((request) => reference[api].fetch(request)),
        clauses: selection.idsOf(api),
        // The first run to end closes its inbox.
        ...(isReached && suites[api].api.webhooks !== null ? { inbox } : {}),
      });
      if (!embedded) {
        await preflight(opened.session);
      }
      const results = await opened.run();
      await opened.close();
      return { session: opened.session, url: embedded ? 'the reference' : origin, results };
    }),
  );
  reference.workspace.close();
  const books = rehearsed.map(({ session }) => session.book);
  return {
    /** Whether the run would judge the embedded reference, since no setting names a target. */
    embedded,
    /** How long the rehearsal took on its clock, on which answers take no time. */
    durationMs: clock.now() - began,
    /** The runs of the APIs: what each sent, created and decided. `url`: the name of its target. */
    runs: rehearsed,
    timing: timingOf(
      books.flatMap((book) => book.budgets()),
      books.flatMap((book) => book.waits()),
      settings.CLOCK_SPEED,
    ),
  };
}

/** The settings of a run that judges the embedded reference, which does not listen: nothing is sent to these URLs. */
const nowhere = async (given: Settings): Promise<OpenDeployment> => {
  const urls = { BASE_URL: 'http://127.0.0.1:1', WORKSPACE_API_URL: 'http://127.0.0.1:2' };
  return usersDeployment(settingsOfReference(given, createPlainReference(), urls));
};

/** The user's settings, without what is about their deployment, and with the reference's key for each that is set. */
function rehearsalSettings(given: Settings, reference: Readonly<Record<string, string>>): Settings {
  const { WEBHOOK_PUBLIC_URL, WEBHOOK_SECRET, BODIES, OPENAPI, ...kept } = given;
  const keys = table.filter(({ name, kind }) => kind === 'secret' && name in kept);
  return { ...kept, ...Object.fromEntries(keys.map(({ name }) => [name, reference[name]])) };
}
