import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { clauses } from '../../contract/clauses.ts';
import { type Ended, startProgram } from './run-suite.ts';

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
// How this machine reaches the package registry, and nothing else of its environment.
const registry = /^(home|node_extra_ca_certs|ssl_cert_\w+|\w+_proxy|npm_config_(registry|userconfig|cache|cafile))$/i;
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => registry.test(name))),
  // npm itself runs on the Node that runs the tests, whatever the machine's own is.
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
};

const folder = mkdtempSync(join(tmpdir(), 'package-'));
const project = join(folder, 'project');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command in the project of a user. Nothing of the machine's settings is in its environment. */
const run = (command: string, ...args: readonly string[]): Promise<Ended> =>
  startProgram(command, args, env, project).ended;

const npm = async (cwd: string, ...args: readonly string[]): Promise<string> =>
  (await execute('npm', args, { cwd, env, maxBuffer: 1e8, timeout: 240_000 })).stdout;
const [tarball] = JSON.parse(await npm(root, 'pack', '--json', '--pack-destination', folder)) as readonly [
  { readonly filename: string; readonly files: readonly { readonly path: string }[] },
];
const packed = tarball.files.map(({ path }) => path);
mkdirSync(project);
await npm(project, 'init', '--yes');
await npm(project, 'install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, tarball.filename));

test('the package holds what it needs, and none of the project’s own tests', () => {
  expect(packed.filter((path) => /selftest|(^|\/)tools\//.test(path))).toEqual([]);
  expect(packed.filter((path) => !/^(bin|dist)\/|^(package\.json|README\.md|LICENSE)$/.test(path))).toEqual([]);
});

test('its executable judges the reference, and writes its reports where the user stands', async () => {
  const { code, stdout } = await run('npx', 'two-api-conformance', 'developer', '-t', 'developer.ads');
  const last = expect.stringMatching(/^CONFORMANT, PARTIAL .*no deployment of yours was judged/);
  expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([0, last]);
  const report = JSON.parse(readFileSync(join(project, 'reports/latest/conformance.json'), 'utf8')) as object;
  expect(report).toMatchObject({ format: 1, conformant: true });
  const help = await run('npx', 'two-api-conformance', 'har', '--help');
  expect(help.stdout).toMatch(/^Usage: npx two-api-conformance har FILE/);
});

test('an old Node gets a sentence', async () => {
  const executable = JSON.stringify(join(project, 'node_modules/two-api-conformance/bin/two-api-conformance.mjs'));
  const script = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' }); await import(${executable});`;
  const { code, stderr } = await run(process.execPath, '--input-type=module', '-e', script);
  expect([code, stderr]).toEqual([2, 'two-api-conformance needs Node 22.19 or newer, this is 20.20.2\n']);
});

test('a team’s own Vitest project declares the clauses beside its other tests, and imports the rest', async () => {
  writeFileSync(
    join(project, 'ours.test.mjs'),
    `import { expect, test } from 'vitest';
import { clauses as rows } from 'two-api-conformance';
import { judge, sampleOf } from 'two-api-conformance/limits';
import { clauses } from 'two-api-conformance/vitest';
import { discoverScheme, verifyWebhook } from 'two-api-conformance/webhooks';
test('ours', () => {
  expect(rows.length).toBe(${clauses.length});
  expect([judge, sampleOf, discoverScheme, verifyWebhook].map((one) => typeof one)).toEqual(Array(4).fill('function'));
});
clauses('developer');
clauses('workspace', { WAIVERS: 'waivers.json' });`,
  );
  const passing = { clause: 'workspace.agents.list', reason: 'ours', expires: '2999-01-01' };
  writeFileSync(join(project, 'waivers.json'), JSON.stringify([passing]));
  // As npx starts it, and without npx, which takes longer than the tests.
  const vitest = join(project, 'node_modules/.bin/vitest');
  const refused = await run(vitest, 'run', '-t', 'ours|workspace.agents.list');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/Waiver is unused: workspace.agents.list passes/),
  ]);
  expect(refused.stderr).toMatch(/No deployment of yours is judged, only the built-in reference/);
  writeFileSync(join(project, 'waivers.json'), '[]');
  const output = ['--reporter=json', '--outputFile=ours.json'];
  const { code } = await run(vitest, 'run', '-t', 'ours|workspace.agents.list', ...output);
  const report = JSON.parse(readFileSync(join(project, 'ours.json'), 'utf8')) as object;
  expect([code, report]).toEqual([0, expect.objectContaining({ numPassedTests: 2, numFailedTests: 0 })]);
});

test('its types hold in a strict project, those of what it imports included', async () => {
  writeFileSync(
    join(project, 'types.ts'),
    `import { type Clause, type ClauseResult, clauses } from 'two-api-conformance';
import { clauses as declare } from 'two-api-conformance/vitest';
import { judge, runMinute } from 'two-api-conformance/limits';
import { presets, verifyWebhook } from 'two-api-conformance/webhooks';
// @ts-expect-error: there is no such API
declare('another');
const request = { method: 'POST', url: '/', registeredUrl: '/', headers: new Headers(), body: Buffer.from('') };
const isSigned: boolean = verifyWebhook(presets.stripe, request, 'secret');
export type Results = Record<Clause['id'], ClauseResult>;
export const all = [isSigned, clauses, judge, runMinute];`,
  );
  const strict = { strict: true, noUncheckedIndexedAccess: true, skipLibCheck: false, noEmit: true };
  const types = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
  const compilerOptions = { ...strict, ...types, module: 'nodenext', target: 'es2022' };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['types.ts'] }));
  const { code, stdout } = await run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'));
  expect([code, stdout]).toEqual([0, '']);
});
