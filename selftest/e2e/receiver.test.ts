import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { discoverScheme } from '../../webhooks/signature/discover.ts';
import { newFolder } from '../new-folder.ts';
import { deliver, hmac } from '../unit/webhooks/deliveries.ts';
import { correct, github, guarded, header, secrets, serve } from '../unit/webhooks/receiver/receivers.ts';
import { type Ended, start } from './run-suite.ts';

const folder = newFolder();
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return name;
};

const run = (...args: string[]): Promise<Ended> =>
  start('cli/receiver.ts', args, { TEXT: secrets.text, WHSEC: secrets.whsec }, folder).ended;

describe('npm run receiver', () => {
  test('ends with 0 for a correct receiver and shows no secret', async () => {
    const served = await serve(guarded((one) => correct['standard-webhooks']?.verifies(one, '') === true));
    const { code, stdout, stderr } = await run(served.url, '--scheme', 'standard-webhooks', '--secret-from', 'WHSEC');
    await served.close();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/It verifies: all \d+ deliveries/);
    expect(stdout).not.toContain(secrets.whsec.slice(8));
  });

  test('ends with 1 and JSON for a receiver that verifies nothing, with the header and payload given', async () => {
    const seen = new Set<string>();
    const served = await serve((one) => {
      seen.add(`${header(one, 'x-tunnel')} ${one.body.toString().slice(0, 6)}`);
      return 200;
    });
    const { code, stdout } = await run(
      served.url,
      '--scheme',
      'github',
      '--secret-from',
      'TEXT',
      '--json',
      '--header',
      'X-Tunnel: open',
      '--body',
      file('own.json', '{"own":1}'),
    );
    await served.close();
    const report = JSON.parse(stdout) as { verifies: boolean; checks: { id: string; verdict: string }[] };
    expect([code, report.verifies]).toEqual([1, false]);
    expect(report.checks.find(({ id }) => id === 'tampered-body')?.verdict).toBe('fail');
    expect([...seen].every((one) => one.startsWith('open '))).toBe(true);
    expect(seen).toContain('open {"own"');
  });

  test('accepts a scheme that discovery found', async () => {
    const sent = deliver(({ body }) => ({ 'X-Hub-Signature-256': `sha256=${hmac(secrets.text, body)}` }));
    const found = discoverScheme(sent, secrets.text);
    const scheme = file('found.json', JSON.stringify(found));
    const served = await serve(guarded(github));
    const { code, stderr } = await run(served.url, '--scheme', scheme, '--secret-from', 'TEXT');
    await served.close();
    expect([code, stderr]).toEqual([0, '']);
  });

  test('sends nothing to other hosts: a redirect is not followed', async () => {
    let reached = 0;
    const other = await serve(() => (reached += 1) && 200);
    const served = await serve((one) => (github(one) ? 200 : { status: 307, location: other.url }));
    const { stdout } = await run(served.url, '--scheme', 'github', '--secret-from', 'TEXT');
    await Promise.all([served.close(), other.close()]);
    expect(reached).toBe(0);
    expect(stdout).toContain('307: not rejected with 4xx');
  });

  test('ends with 2 and one line for an invalid scheme', async () => {
    const scheme = file('no.json', '{"scheme":{"signature":{}}}');
    const { code, stdout, stderr } = await run('http://127.0.0.1:1/', '--scheme', scheme, '--secret-from', 'TEXT');
    expect([code, stdout, stderr.trim().split('\n')]).toEqual([
      2,
      '',
      [expect.stringMatching(/Cannot use --scheme no\.json/)],
    ]);
  });
});
