import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { createReference, type ReferenceOptions } from '../../fixtures/reference/deployment.ts';
import { listen } from '../../fixtures/reference/listen.ts';
import { listenOnFreePort } from '../free-port.ts';
import { newFolder } from '../new-folder.ts';
import { expectAgreement, expectNoSecret } from './expect-agreement.ts';
import { type Ended, start } from './run-suite.ts';

export type Env = Readonly<Record<string, string>>;

/** A run, and how it must end. */
export interface Row {
  readonly says: string;
  readonly run: () => Promise<Ended>;
  readonly code: 0 | 1 | 2;
  /** The expected last line of the console. */
  readonly line: RegExp;
  readonly verdicts?: Env;
}

const apiOf = (name: string): string => (name.startsWith('WORKSPACE_') ? 'WORKSPACE_API_URL' : 'BASE_URL');

/** The settings with the URL and the keys of one API only. */
export const only = (env: Env, api: 'BASE_URL' | 'WORKSPACE_API_URL'): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/_URL$|_KEY$/.test(name) || apiOf(name) === api));

const lastLine = ({ stdout, stderr }: Ended): string =>
  (stdout === '' ? stderr : stdout).trimEnd().split('\n').at(-1) ?? '';

/** Expects the exit status, the last line and the verdicts, and that all outputs agree. */
export async function expectRow(row: Row): Promise<void> {
  const ended = await row.run();
  expect([ended.code, lastLine(ended)]).toEqual([row.code, expect.stringMatching(row.line)]);
  const results = expectAgreement(ended);
  for (const [id, verdict] of Object.entries(row.verdicts ?? {})) {
    expect([id, results.get(id)?.verdict]).toEqual([id, verdict]);
  }
}

/** Serves deployments until the end of the file's tests, and runs the suite against them, each time in a new folder. */
export function openStage() {
  const closing: (() => unknown)[] = [];
  afterAll(() => Promise.all(closing.map((close) => close())));
  return {
    /** The settings that point a run at a reference deployment. */
    async serve(options: ReferenceOptions = {}): Promise<Env> {
      const reference = createReference({ seed: 3, ...options });
      const { urls, close } = await listen(reference);
      closing.push(close);
      return { ...urls, ...reference.settings };
    },
    /** The URL of a server that handles every call like this. */
    async serveHandler(handle: RequestListener): Promise<string> {
      const server = createServer(handle);
      closing.push(() => server.close().closeAllConnections());
      return `http://127.0.0.1:${await listenOnFreePort(server)}`;
    },
    /** Runs the script of npm test in a folder with these files. */
    async run(args: readonly string[], env: Env = {}, files: Env = {}): Promise<Ended> {
      const folder = newFolder();
      for (const [name, text] of Object.entries(files)) {
        writeFileSync(join(folder, name), text);
      }
      const ended = await start('cli/test.ts', args, env, folder).ended;
      const secrets = Object.entries(env)
        .filter(([name, value]) => /_KEY$|_SECRET$/.test(name) && value.length > 14)
        .map(([, value]) => value);
      expectNoSecret(ended, secrets);
      return ended;
    },
  };
}
