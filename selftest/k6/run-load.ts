// Runs the load scripts as users do, by `npm run load` or with k6 alone, in a folder of their own.
import { join, resolve } from 'node:path';
import { findK6 } from '../../load/runner/find-k6.ts';
import { type Ended, type Started, start, startProgram } from '../e2e/run-suite.ts';
import { newFolder } from '../new-folder.ts';

export const repository = resolve(import.meta.dirname, '../..');
export const scriptFile = (name: string): string => join(repository, 'load/scripts', `${name}.ts`);

export type Variables = Readonly<Record<string, string>>;

const HOME = process.env.HOME ?? '';

/** k6 alone. */
export async function runK6(args: readonly string[], env: Variables, folder = newFolder()): Promise<Ended> {
  const { path } = await findK6({ env: process.env, say: () => {} });
  return startProgram(path, args, { HOME, K6_NO_USAGE_REPORT: 'true', ...env }, folder).ended;
}

interface Report {
  readonly conformant: boolean | null;
  readonly clauses: readonly { readonly id: string; readonly verdict: string }[];
  readonly trace: Readonly<Record<string, number>> & { readonly partial: boolean };
}

/** `npm run load`; `report` is load-NAME.json, null if there is none. `watch` gets what it has said on stderr. */
export async function runLoad(
  args: readonly string[],
  env: Variables,
  { folder = newFolder(), watch = () => {} }: { folder?: string; watch?: (text: string, run: Started) => void } = {},
): Promise<Ended & { readonly report: Report | null; readonly verdicts: Variables }> {
  const run = start('cli/load.ts', args, { HOME, ...env }, folder);
  let said = '';
  run.child.stderr?.on('data', (chunk) => {
    said += String(chunk);
    watch(said, run);
  });
  const ended = await run.ended;
  const report = JSON.parse(ended.reports.get(`load-${args[0]}.json`) ?? 'null') as Report | null;
  const verdicts = Object.fromEntries((report?.clauses ?? []).map(({ id, verdict }) => [id, verdict]));
  return { ...ended, report, verdicts };
}
