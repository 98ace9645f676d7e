// npm run bench:speed: what `npm test` on the reference costs, beside as many bare calls of the same deployment.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCommand } from '../../cli/command.ts';
import { newFolder } from '../../selftest/new-folder.ts';
import { setup, teardown } from '../../selftest/scratch.ts';
import { commandLine } from '../command.ts';

interface Cost {
  readonly seconds: number;
  readonly processorSeconds: number;
}

/** Runs a module in a process of its own, which says what it cost when it ends. */
function costOf(args: readonly string[], env: Readonly<Record<string, string>>): Cost {
  const telling = `process.on('exit', () => { const { user, system } = process.cpuUsage(); console.error('cost ' + (user + system) / 1e6); })`;
  const began = performance.now();
  const { stderr, status } = spawnSync(process.execPath, ['--import', `data:text/javascript,${telling}`, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    encoding: 'utf8',
  });
  // Its workers inherit the module, and end before it.
  const told = [...stderr.matchAll(/^cost ([\d.]+)$/gm)].at(-1)?.[1];
  if (status !== 0 || told === undefined) {
    throw new Error(`${args[0]} ended with ${status}: ${stderr}`);
  }
  return { seconds: (performance.now() - began) / 1000, processorSeconds: Number(told) };
}

const bareCalls = `
  import { openEmbedded } from '${new URL('../../fixtures/embedded.ts', import.meta.url).href}';
  import { parseSettings } from '${new URL('../../settings/settings.ts', import.meta.url).href}';
  const { settings, close } = await openEmbedded(parseSettings({}));
  const headers = { 'X-API-Key': settings.SANDBOX_API_KEY };
  for (let call = 0; call < Number(process.env.CALLS); call += 1) {
    await (await fetch(settings.BASE_URL + '/api/v1/platform/me', { headers })).text();
  }
  await close();`;

commandLine(createCommand('bench:speed', '', 'Measures npm test on the reference, beside as many bare calls.'));
setup();
const reports = newFolder();
const run = costOf(['cli/test.ts'], { REPORTS_DIR: reports });
const { requests } = JSON.parse(readFileSync(join(reports, 'conformance.json'), 'utf8')) as {
  requests: Readonly<Record<string, number>>;
};
const calls = Object.values(requests).reduce((sum, many) => sum + many, 0);
const bare = costOf(['--input-type=module', '--eval', bareCalls], { CALLS: String(calls) });
for (const [name, { seconds, processorSeconds }] of Object.entries({ 'npm test': run, 'bare calls': bare })) {
  process.stdout.write(
    `${name}: ${calls} calls in ${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processor time\n`,
  );
}
process.stdout.write(
  `processor time: ${(run.processorSeconds / bare.processorSeconds).toFixed(1)} times the bare calls'\n`,
);
teardown();
