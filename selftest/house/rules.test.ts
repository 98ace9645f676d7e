import { expect, test } from 'vitest';
import { codeOf, files, filesIn, sources, textOf } from './source-files.ts';

/** A file's code without strings, since the code that receivers get is a string. */
const bare = (file: string): string =>
  codeOf(file)
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replace(/`(?:[^`\\]|\\.)*`/g, '``');

const folders = [...new Set(sources.map((file) => file.slice(0, file.indexOf('/'))))].filter(
  (folder) => folder !== 'bin',
);
/** The folders that checks use. */
const checks = filesIn(['common', 'results', 'settings', 'webhooks', 'limits', 'suites', 'load/judge']);
const judging = [...filesIn(['contract', 'reports', 'fixtures'], /\.ts$/), ...checks];
const byHand = files.filter((file) => !/^(package-lock\.json|load\/k6\/go\.(mod|sum))$/.test(file));

/** What no file may have, and the few that have it for a reason. */
const rules: readonly {
  readonly says: string;
  readonly among: readonly string[];
  readonly pattern: RegExp;
  readonly read?: (file: string) => string;
  readonly allowed: readonly string[];
}[] = [
  {
    says: 'checks take the time only from the clock of the session',
    among: checks,
    pattern:
      /\bDate\.now\b|\bnew Date\(\)|\bperformance\.|\bset(Timeout|Interval|Immediate)\b|\bprocess\.hrtime\b|node:timers/,
    allowed: ['common/clock.ts', 'webhooks/receiver/check.ts', 'suites/run/api-run.ts', 'suites/run/declare.ts'],
  },
  {
    says: 'checks draw random values from the seed of the session, except values that must be unguessable',
    among: checks,
    pattern: /\bMath\.random\b|\brandom(UUID|Bytes|Int)\b|\bgetRandomValues\b/,
    allowed: [
      'webhooks/inbox/inbox.ts',
      'suites/workspace/records/run-records.ts',
      'suites/run/prepare.ts',
      'webhooks/receiver/sign.ts',
    ],
  },
  {
    says: 'a check reads neither the environment nor the command line',
    among: checks,
    pattern: /\bprocess\.(env|argv|cwd|exit)\b/,
    allowed: ['settings/settings.ts', 'suites/vitest.ts', 'settings/proxies.ts'],
  },
  {
    says: 'no module keeps state: top-level variables are never assigned to, and are not empty containers',
    among: judging,
    pattern:
      /^(export )?(let|var) |^(export )?const \w+[^=\n]* = (\[\]|new (Map|Set|WeakMap|WeakSet)(<[^()]*>)?\(\));/m,
    allowed: [],
  },
  {
    says: 'no suppressed warning',
    among: filesIn(folders),
    pattern: /@ts-nocheck|@ts-expect-error|eslint-disable/,
    read: codeOf,
    allowed: ['selftest/house/rules.test.ts'],
  },
  {
    says: 'comments in suites/ end at column 120, as code does: Biome wraps none',
    among: filesIn(['suites']),
    pattern: /^(?= *(?:\/?\*|\/\/)).{121,}$/m,
    read: textOf,
    allowed: [],
  },
  {
    says: 'no path of one particular machine, and no package registry',
    among: byHand,
    pattern:
      /(?<![\w.])\/(work|home\/\w+|Users\/\w+|root)\/\w|registry\.(npm|yarn)|\b(npmjs|proxy\.golang|sum\.golang)\.(org|com)/,
    read: textOf,
    allowed: [],
  },
];

test.each(rules)('$says', ({ among, pattern, read = bare, allowed }) => {
  expect(among.length).toBeGreaterThan(100);
  expect(among.filter((file) => pattern.test(read(file))).toSorted()).toEqual(allowed.toSorted());
});

test.each(folders)('%s/ says in the first line of its README which question it answers', (folder) => {
  expect(textOf(`${folder}/README.md`)).toMatch(/^# [^\n]*\?\n/);
});
