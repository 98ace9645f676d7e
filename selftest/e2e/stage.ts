import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { createReference, type ReferenceOptions } from '../../fixtures/reference/deployment.ts';
import { listen } from '../../fixtures/reference/listen.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { newFolder } from '../new-folder.ts';
import { expectSameVerdicts } from '../unit/reports/expect-agreement.ts';
import { type Ended, start } from './run-suite.ts';

export type Env = Readonly<Record<string, string>>;
type Fetch = (request: Request) => Promise<Response>;

/** The settings without the URL and the keys of the workspace API. */
export const ofDeveloper = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^WORKSPACE_.*(_URL|_KEY)$/.test(name)));

/** The last line of the console. */
export const lastLine = ({ stdout, stderr }: Ended): string =>
  (stdout === '' ? stderr : stdout).trimEnd().split('\n').at(-1) ?? '';

/** Expects that all outputs of a run agree. Returns the results of the clauses. */
export function expectAgreement(ended: Ended): ReadonlyMap<string, ClauseResult> {
  const { code, stdout, reports } = ended;
  const { reason, clauses } = JSON.parse(reports.get('conformance.json') ?? '') as {
    readonly reason: string;
    readonly clauses: readonly ClauseResult[];
  };
  const conformant = { 0: true, 1: false, 2: null }[code ?? -1] ?? null;
  // A run that could not begin says why in one line, and writes no report.
  expectSameVerdicts(reports, stdout === '' ? null : stdout, { exitCode: code as 0 | 1 | 2, conformant, clauses });
  expect(stdout === '' ? lastLine(ended) : reason).toBe(reason);
  return new Map(clauses.map((result) => [result.id, result]));
}

/** Expects that no output of a run, and no file that it wrote, contains a key or secret of its settings. */
export function expectNoSecret({ stdout, stderr, folder }: Ended, env: Env): void {
  const secrets = Object.entries(env).flatMap(([name, value]) =>
    /_KEY$|_SECRET$/.test(name) && value.length > 14
      ? [value, encodeURIComponent(value), Buffer.from(value).toString('base64').replace(/=+$/, '')]
      : [],
  );
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name !== '.env' && statSync(join(folder, name)).isFile(),
  );
  const texts = files.map((name) => [name, readFileSync(join(folder, name), 'latin1')] as const);
  const leaks = [['stdout', stdout] as const, ['stderr', stderr] as const, ...texts].filter(([, text]) =>
    secrets.some((secret) => text.includes(secret)),
  );
  expect(leaks.map(([place]) => place)).toEqual([]);
}

/** Starts npm test in a new folder with these files. None of its outputs may show a secret of `env`. */
export function startSuite(args: readonly string[], env: Env, files: Env = {}) {
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
  }
  const { child, ended } = start('cli/test.ts', args, env, folder);
  return { child, folder, ended: ended.then((run) => (expectNoSecret(run, env), run)) };
}

/** Serves deployments until the end of the file's tests. */
export function openStage() {
  const closing: (() => unknown)[] = [];
  afterAll(() => Promise.all(closing.map((close) => close())));
  /** A reference deployment, its developer API behind `around`, and the settings that point a run at it. */
  async function open(options: ReferenceOptions, around: (usual: Fetch) => Fetch = (usual) => usual) {
    const reference = createReference({ seed: 3, ...options });
    const { developer } = reference;
    // The enterprise key's thousand calls would need a window at real speed.
    const { ENTERPRISE_API_KEY: _, ...settings } = reference.settings;
    // It shows and sends everything at once; on a busy machine, an event may still take a while to arrive.
    const waits = { KEY_SETTLE_MS: '300', EVENT_WAIT_MS: '3000' };
    const usual: Fetch = async (request) => developer.fetch(request);
    const { urls, close } = await listen({ ...reference, developer: { ...developer, fetch: around(usual) } });
    closing.push(close);
    return { env: { ...urls, ...settings, ...waits } as Env, close, fetch: usual };
  }
  return {
    open,
    /** The settings that point a run at a reference deployment. */
    serve: async (options: ReferenceOptions = {}): Promise<Env> => (await open(options)).env,
  };
}
