import { expect, test } from 'vitest';
import { codeOf, filesIn } from './source-files.ts';

/** Strings are left out too, since the code that receivers get is a string. */
const bare = (file: string): string =>
  codeOf(file)
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replace(/`(?:[^`\\]|\\.)*`/g, '``');

/** The folders that checks use. */
const checks = filesIn(['common', 'results', 'settings', 'webhooks', 'limits', 'suites', 'load/judge']);
const judging = [...filesIn(['contract', 'reports', 'fixtures'], /\.ts$/), ...checks];
const having = (among: readonly string[], pattern: RegExp, allowed: readonly string[]): string[] =>
  among.filter((file) => !allowed.includes(file) && pattern.test(bare(file)));

test('checks take the time only from the clock of the session', () => {
  const time =
    /\bDate\.now\b|\bnew Date\(\)|\bperformance\.|\bset(Timeout|Interval|Immediate)\b|\bprocess\.hrtime\b|node:timers/;
  expect(checks.length).toBeGreaterThan(100);
  expect(
    having(checks, time, [
      'common/clock.ts',
      'webhooks/receiver/check.ts',
      'common/leaping-clock.ts',
      'suites/run/api-run.ts',
      'suites/run/declare.ts',
      'suites/session/transport/undici-transport.ts',
    ]),
  ).toEqual([]);
});

test('checks draw random values from the seed of the session, except values that must be unguessable', () => {
  const chance = /\bMath\.random\b|\brandom(UUID|Bytes|Int)\b|\bgetRandomValues\b/;
  expect(
    having(checks, chance, [
      'webhooks/inbox/inbox.ts',
      'suites/workspace/events/subscribe.ts',
      'suites/run/prepare.ts',
      'webhooks/receiver/sign.ts',
    ]),
  ).toEqual([]);
});

test('a check reads neither the environment nor the command line', () => {
  expect(
    having(checks, /\bprocess\.(env|argv|cwd|exit)\b/, [
      'settings/settings.ts',
      'suites/vitest.ts',
      'settings/env-file.ts',
      'settings/proxies.ts',
      'suites/run/selection.ts',
      'suites/run/declare.ts',
    ]),
  ).toEqual([]);
});

test('no module keeps state: top-level variables are never assigned to, and are not empty containers', () => {
  const state =
    /^(export )?(let|var) |^(export )?const \w+[^=\n]* = (\[\]|new (Map|Set|WeakMap|WeakSet)(<[^()]*>)?\(\));/m;
  // Compiled schemas are kept, since they are the same for every run.
  expect(having(judging, state, ['common/schema.ts'])).toEqual([]);
});
