import { expect } from 'vitest';
import { createReference } from '../../../fixtures/reference/deployment.ts';
import { start } from '../../e2e/run-suite.ts';
import { expectAgreement } from '../../e2e/stage.ts';
import { type Behaviour, bytesOf } from './behaviour.ts';
import { hostileServer } from './server.ts';
import { goodAnswers, leaks } from './try-client.ts';

/** The first calls get good answers, so that the run gets beyond its preflight; then every second one does not. */
const [wellBehaved, everySo] = [8, 2];
const mostMs = 180_000;

const sometimes =
  (behave: Behaviour): Behaviour =>
  (socket, good, asked) => {
    if (asked.number > wellBehaved && asked.number % everySo === 0) {
      behave(socket, good, asked);
    } else {
      socket.write(bytesOf(good, good.body));
    }
  };

/**
 * The part of the suite that is run: some of the developer API, that about webhooks, or everything with EXHAUST=all.
 */
export type Scope = 'developer' | 'webhooks' | 'all';
const parts: Readonly<Record<Scope, string>> = {
  developer: 'developer.(auth|envelope|keys|ads|errors)',
  webhooks: 'workspace.(webhooks|events|bookings|responses)',
  all: '',
};

/**
 * Runs the suite as `npm test` does, against a server that behaves so in some answers: without good ones, little would
 * be judged. Its exit status must agree with its reports, which show no key, and contain nothing active.
 */
export async function trySuite(behave: Behaviour, scope: Scope): Promise<void> {
  const reference = createReference({ seed: 3, clockSpeed: 600 });
  const given = Object.entries(reference.settings).filter(([name]) => /^(?!ENTERPRISE).*_KEY$/.test(name));
  const keys = given.filter(([name]) => scope === 'all' || name.startsWith('WORKSPACE') === (scope === 'webhooks'));
  const valid = new Set(keys.map(([, key]) => key));
  const answer = goodAnswers(reference);
  const server = await hostileServer(scope === 'webhooks' ? behave : sometimes(behave), async (asked) => {
    const good = await answer(asked);
    if (good.status < 300) {
      valid.add(asked.key);
    }
    return good;
  });
  const { child, ended: running } = start('cli/test.ts', scope === 'all' ? [] : ['-t', parts[scope]], {
    ...Object.fromEntries(keys),
    ...(scope === 'webhooks' ? {} : { BASE_URL: server.origin }),
    ...(scope === 'developer' ? {} : { WORKSPACE_API_URL: server.origin }),
    ...{ WRITES: 'all', EXHAUST: scope === 'all' ? 'all' : 'own' },
    ...{ TIMEOUT_MS: '800', CLOCK_SPEED: '600', KEY_SETTLE_MS: '50', EVENT_WAIT_MS: '1000' },
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), mostMs);
  const ended = await running;
  clearTimeout(timer);
  const strayed = server.strayed();
  await server.close();
  const { stdout, stderr, reports } = ended;
  const results = [...expectAgreement(ended).values()];
  expect(results.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
  expect(reports.get('conformance.html')).not.toMatch(/<script>alert|<img src=x/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the search is for control characters
  expect(stdout + stderr).not.toMatch(/^(::|##)|\u001b\[[12][AJK]|\u001b\]/m);
  const texts = [['the console', stdout + stderr] as const, ...reports];
  const shown = texts.filter(([, text]) => [...valid].some((key) => leaks(text, key).length > 0));
  expect([strayed, shown.map(([name]) => name)]).toEqual([0, []]);
}
