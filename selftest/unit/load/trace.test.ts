// Defects that make a run useless as proof: each is named, and no clause is judged by such a run.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Sample, sampleOf } from '../../../limits/judge/trace.ts';
import { runOf } from '../../../load/report/load-run.ts';
import { findK6 } from '../../../load/runner/find-k6.ts';
import { collect, type Ended } from '../../../load/runner/launch.ts';
import { planOf } from '../../../load/seam/make-plan.ts';
import type { Line } from '../../../load/seam/trace.ts';
import { parseSettings } from '../../../settings/settings.ts';
import { newFolder } from '../../new-folder.ts';

const given = { BASE_URL: 'http://127.0.0.1:1', LIVE_API_KEY: 'svc_live_0123456789' };
const plan = planOf('per-minute', { ...given, EXHAUST: 'all', LOAD_KEY: 'live' });
const subject = 'LIVE_API_KEY';
const call = (sentAt: number): Sample =>
  sampleOf({ sentAt, receivedAt: sentAt + 5, status: 200, key: subject, phase: 'opener' }, () => '60');
const calls = [1, 2].map((at): Line => ({ t: 'call', subject, sample: call(at) }));
const judged: Line = {
  t: 'judged',
  subject,
  parts: [{ clause: 'developer.limits.per-minute', verdict: 'holds', says: '' }],
  says: [],
  detail: null,
};
const lines = [...calls, judged];
const whole: Ended = { exitCode: 0, lines, log: [] };

const cases: readonly [what: string, ended: Partial<Ended>, defect: RegExp][] = [
  [
    'an exception in the script',
    { lines: calls, log: [`${subject}: the script threw: TypeError: x`, 'more'] },
    /the script threw: TypeError/,
  ],
  ['a script that does not load', { exitCode: 107, log: ['SyntaxError: line 3'] }, /status 107: SyntaxError: line 3/],
  ['a threshold of ours that nothing in the trace explains', { exitCode: 99 }, /status 99, and no clause failed/],
];

const concluded = (run: Pick<Parameters<typeof runOf>[0], 'plan' | 'samples' | 'judged' | 'defects'>) => {
  const about = { startedAt: new Date(), interrupted: null, embedded: false };
  return runOf({ ...run, k6: 'v2.2.0', notes: [] }, parseSettings(given), about);
};
const conclude = (ended: Ended) => concluded({ plan, ...collect(ended, plan) });

it('nothing is wrong with a complete trace', () => {
  expect(collect(whole, plan).defects).toEqual([]);
  expect(conclude(whole)).toMatchObject({ exitCode: 0, clauses: [{ verdict: 'pass' }] });
});

it.each(cases)('%s is broken, and exit 2', (_, part, defect) => {
  const ended = { ...whole, ...part };
  expect(collect(ended, plan).defects.join('\n')).toMatch(defect);
  const { clauses, exitCode, conformant } = conclude(ended);
  expect(new Set(clauses.map(({ verdict }) => verdict))).toEqual(new Set(['broken']));
  expect({ exitCode, conformant }).toEqual({ exitCode: 2, conformant: null });
});

const folder = newFolder();
const fake = (name: string, version: string): string => {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\necho 'k6 ${version} (go1.26.8, linux/amd64)'\n`, { mode: 0o755 });
  return file;
};
const find = (env: Record<string, string>): Promise<unknown> =>
  findK6({ env, say: () => {}, cache: join(folder, 'cache') });

it('finding k6: uses the k6 that K6_PATH names', async () => {
  const path = fake('mine', 'v2.9.1');
  await expect(find({ K6_PATH: path, PATH: '' })).resolves.toEqual({ path, version: 'v2.9.1' });
});
it('finding k6: refuses another major version in K6_PATH, and files that are not k6', async () => {
  await expect(find({ K6_PATH: fake('old', 'v1.4.0'), PATH: '' })).rejects.toThrow(
    /K6_PATH: .*k6 v1\.4\.0; the scripts need v2/,
  );
  await expect(find({ K6_PATH: '/bin/true', PATH: '' })).rejects.toThrow(/not a k6 that runs here/);
});
it('finding k6: skips another major version on PATH; without Go it says how to get k6', async () => {
  fake('k6', 'v1.4.0');
  await expect(find({ PATH: folder })).rejects.toThrow(
    /v1\.4\.0; the scripts need v2.*nor Go.*install k6 v2.*or set K6_PATH/s,
  );
});
