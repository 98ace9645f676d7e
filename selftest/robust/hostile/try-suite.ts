import { expect } from 'vitest';
import { createReference } from '../../../fixtures/reference/deployment.ts';
import { start } from '../../e2e/run-suite.ts';
import { expectAgreement } from '../../e2e/stage.ts';
import { type Behaviour, bytesOf } from './behaviour.ts';
import { hostileServer } from './server.ts';
import { leaks } from './try-client.ts';

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
 * Runs a part of the suite as `npm test` does, against a server that behaves so in some answers: without good ones, little would
 * be judged. Its exit status must agree with its reports, which show no key, and contain nothing active.
 */
export async function trySuite(behave: Behaviour): Promise<void> {
  const reference = createReference({ seed: 3, clockSpeed: 600 });
  const { SANDBOX_API_KEY = '', LIVE_API_KEY = '' } = reference.settings;
  const server = await hostileServer(sometimes(behave), reference);
  const { child, ended: running } = start('cli/test.ts', ['-t', 'developer.(auth|envelope|keys|ads|errors)'], {
    ...{ BASE_URL: server.origin, SANDBOX_API_KEY, LIVE_API_KEY, WRITES: 'all' },
    ...{ TIMEOUT_MS: '800', CLOCK_SPEED: '600', KEY_SETTLE_MS: '50' },
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
  const keys = [SANDBOX_API_KEY, LIVE_API_KEY, ...server.keys].filter((key) => key !== '');
  const shown = texts.filter(([, text]) => keys.some((key) => leaks(text, key)));
  expect([strayed, shown.map(([name]) => name)]).toEqual([0, []]);
}
