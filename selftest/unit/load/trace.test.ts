// Defects that make a trace useless as proof: each is named, and no clause is judged by such a trace.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collect } from '../../../load/runner/collect.ts';
import { k6Environment } from '../../../load/runner/environment.ts';
import { findK6 } from '../../../load/runner/find-k6.ts';
import type { Instance } from '../../../load/runner/launch.ts';
import type { Line, Row } from '../../../load/seam/plan.ts';
import { concludeLoad } from '../../../load/verdict/conclude-load.ts';
import { judgePerMinute } from '../../../load/verdict/over-limit.ts';
import { newFolder } from '../../new-folder.ts';
import { plainPlan } from './plain-plan.ts';

const plan = plainPlan({
  run: 'this',
  script: 'per-minute',
  boundMs: 1000,
  subjects: [
    {
      label: 'LIVE_API_KEY',
      api: 'developer',
      keyEnv: 'LIVE_API_KEY',
      url: 'http://127.0.0.1:1/x',
      limit: 60,
      perDay: null,
      alone: true,
      unknownKey: 'x',
    },
  ],
});

const row = (at: number): Row => [at, at + 5, 200, '60', '59', '1', null, null, 'LIVE_API_KEY', 'opener'];
const lines: Line[] = [
  { t: 'begin', run: 'this', script: 'per-minute', vu: 0 },
  { t: 'samples', subject: 'LIVE_API_KEY', rows: [row(1), row(2)] },
  { t: 'end', vu: 0, calls: 2 },
];
const summary = (run: string, requests: number, errors = 0): string =>
  JSON.stringify({
    run,
    metrics: { http_reqs: { count: requests }, iterations: { count: 1 }, suite_errors: { count: errors } },
  });
const whole: Instance = { exitCode: 0, overdue: null, lines, strayText: '', stderr: '', summary: summary('this', 2) };

const cases: readonly [what: string, instance: Partial<Instance>, defect: RegExp][] = [
  [
    'an exception in the script',
    {
      lines: [...lines.slice(0, 2), { t: 'error', subject: 'LIVE_API_KEY', message: 'TypeError: x' }],
      summary: summary('this', 2, 1),
    },
    /the script threw: TypeError/,
  ],
  ['an exception that left no line', { summary: summary('this', 2, 1) }, /counted 1 errors/],
  ['a lost sample', { summary: summary('this', 3) }, /counted 3 requests, and the trace has 2/],
  [
    'an empty trace',
    { lines: [lines[0] as Line, lines[2] as Line], summary: summary('this', 0) },
    /the trace is empty/,
  ],
  ['an empty metric', { summary: JSON.stringify({ run: 'this', metrics: {} }) }, /counted 0 requests/],
  ['no summary', { summary: null }, /wrote no summary/],
  ['a summary that is not JSON', { summary: '{' }, /wrote no summary/],
  ['the summary of an earlier run', { summary: summary('yesterday', 2) }, /the summary belongs to another run/],
  [
    'the trace of an earlier run',
    { lines: [{ t: 'begin', run: 'yesterday', script: 'per-minute', vu: 0 }, ...lines.slice(1)] },
    /the trace belongs to another run/,
  ],
  ['a VU that was interrupted', { lines: lines.slice(0, 2) }, /0 of 1 VUs reached the end/],
  ['other text in the trace', { strayText: 'WARN: something\n' }, /holds other text: WARN/],
  [
    'a script that cannot be loaded',
    { exitCode: 107, stderr: 'SyntaxError: line 3\n' },
    /status 107 .*SyntaxError: line 3/,
  ],
  ['a k6 that does not begin', { exitCode: null, overdue: 'start' }, /did not begin/],
  ['a k6 that does not end', { exitCode: null, overdue: 'end' }, /did not end/],
];

describe('a defective trace decides nothing', () => {
  it('finds nothing wrong with a complete trace', () => {
    expect(collect([whole], plan).defects).toEqual([]);
  });

  it.each(cases)('%s is broken, and exit 2', (_, part, defect) => {
    const trace = collect([{ ...whole, ...part }], plan);
    expect(trace.defects.join('\n')).toMatch(defect);
    const judgement = judgePerMinute(plan, trace);
    const { clauses, exitCode, conformant } = concludeLoad(judgement, {
      strict: false,
      skipped: [],
      defects: trace.defects,
      interrupted: null,
    });
    expect(new Set(clauses.map(({ verdict }) => verdict))).toEqual(new Set(['broken']));
    expect({ exitCode, conformant }).toEqual({ exitCode: 2, conformant: null });
  });

  it('decides nothing if no key could be tried', () => {
    const nothing = { results: [], details: {}, main: ['developer.limits.per-minute'] };
    expect(concludeLoad(nothing, { strict: false, skipped: [], defects: [], interrupted: null }).exitCode).toBe(2);
  });
});

describe("k6's environment", () => {
  it('passes on no K6_* variable, no unknown variable and no setting', () => {
    const env = k6Environment(
      { PATH: '/bin', K6_ITERATIONS: '3', K6_VUS: '9', K6_OUT: 'json=x', SANDBOX_API_KEY: 'svc_test_x', FOO: '1' },
      { plan: '{}', summary: 's', config: 'c', secrets: { LIVE_API_KEY: 'k' } },
    );
    expect(Object.keys(env).sort()).toEqual([
      'K6_AUTO_EXTENSION_RESOLUTION',
      'K6_CONFIG',
      'K6_NO_USAGE_REPORT',
      'K6_WEB_DASHBOARD',
      'LIVE_API_KEY',
      'LOAD_PLAN',
      'LOAD_SUMMARY',
      'NO_COLOR',
      'PATH',
    ]);
    expect(env).toMatchObject({ K6_NO_USAGE_REPORT: 'true', K6_AUTO_EXTENSION_RESOLUTION: 'false' });
  });
});

describe('finding k6', () => {
  const folder = newFolder();
  const fake = (name: string, version: string): string => {
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\necho 'k6 ${version} (go1.26.8, linux/amd64)'\n`, { mode: 0o755 });
    return file;
  };
  const find = (env: Record<string, string>): Promise<unknown> =>
    findK6({ env, say: () => {}, cache: join(folder, 'cache') });

  it('uses the k6 that K6_PATH names', async () => {
    const path = fake('mine', 'v2.9.1');
    await expect(find({ K6_PATH: path, PATH: '' })).resolves.toEqual({ path, version: 'v2.9.1' });
  });
  it('refuses another major version in K6_PATH, and files that are not k6', async () => {
    await expect(find({ K6_PATH: fake('old', 'v1.4.0'), PATH: '' })).rejects.toThrow(
      /K6_PATH: .*k6 v1\.4\.0, and the scripts need k6 v2/,
    );
    await expect(find({ K6_PATH: '/bin/true', PATH: '' })).rejects.toThrow(/not a k6 that runs here/);
  });
  it('skips another major version on PATH; without Go it says how to get k6', async () => {
    fake('k6', 'v1.4.0');
    await expect(find({ PATH: folder })).rejects.toThrow(
      /v1\.4\.0; the scripts need v2.*nor Go.*install k6 v2.*or set K6_PATH/s,
    );
  });
});
