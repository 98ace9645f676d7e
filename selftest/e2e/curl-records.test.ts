import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Call } from '../../suites/session/call.ts';
import { createOwnRecords } from '../../suites/session/evidence/own-records.ts';
import { scriptOf } from '../../suites/session/evidence/reproduce.ts';
import type { ApiKey } from '../../suites/session/key.ts';
import { wireOf } from '../../suites/session/transport/wire.ts';

// Scripts of calls on records that the run made: they create a similar one first.

const given: ApiKey = {
  secret: 'svc_test_0123456789',
  label: 'SANDBOX_API_KEY',
  environment: 'sandbox',
  origin: 'given',
};
const wired = (call: Call) => wireOf({ keyModes: ['header'], alwaysTyped: false }, 'http://api.test', call);
const records = createOwnRecords();
const make = (number: number, collection: string, id: string, body: unknown): void => {
  const call: Call = { method: 'POST', path: collection, body, key: given };
  records.sent(number, call, wired(call));
  records.made(number, { collection, id, place: '/data/id', maker: given });
};
make(1, '/v1/agents', 'agt_1234', { name: 'a' });
make(2, '/v1/bookings', 'bkg_1234', { agent_id: 'agt_1234' });
function linesOf(call: Partial<Call>, number = 9): string[] {
  const whole: Call = { method: 'GET', path: '/api/v1/platform/me', key: given, ...call };
  return scriptOf(wired(whole), whole, { records, number, clean: (text) => text, settleMs: 1500, calls: 0 }).split(
    '\n',
  );
}
const node = (name: string): string => `${name}=$(node -p 'JSON.parse(process.argv[1]).data.id' -- "$MADE")`;

test('creates a similar record, makes the call, and deletes the record', () => {
  const lines = linesOf({ path: '/v1/agents/agt_1234' });
  expect(lines.filter((line) => !line.startsWith(' '))).toEqual([
    expect.stringMatching(/^MADE=\$\(curl -sS -X POST http:\/\/api\.test\/v1\/agents /),
    node('AGENT_ID'),
    expect.stringMatching(/^curl -i "http:\/\/api\.test\/v1\/agents\/\$AGENT_ID" /),
    expect.stringMatching(/^curl -sS -o \/dev\/null -X DELETE "http:\/\/api\.test\/v1\/agents\/\$AGENT_ID" /),
  ]);
  expect(lines.join()).not.toContain('agt_1234');
});

test('first creates the records that its creation refers to, and deletes them last', () => {
  const text = linesOf({ path: '/v1/bookings/bkg_1234', method: 'DELETE' }).join('\n');
  expect(text).not.toMatch(/(agt|bkg)_1234/);
  expect(text).toContain('{\\"agent_id\\":\\"$AGENT_ID\\"}');
  const order = [node('AGENT_ID'), node('BOOKING_ID'), 'curl -i -X DELETE', 'agents/$AGENT_ID'].map((part) =>
    text.indexOf(part),
  );
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(Math.min(...order)).toBeGreaterThan(0);
});

test('deletes the record first if it had been deleted before the call', () => {
  records.deleted(5, { collection: '/v1/agents', id: 'agt_1234' });
  const [before, after] = [4, 6].map((number) =>
    linesOf({ path: '/v1/agents/agt_1234' }, number).findLast((line) => line.startsWith('curl')),
  );
  expect(before).toContain('-X DELETE');
  expect(after).toMatch(/^curl -i /);
});

/** What a shell has in the variable after the line that reads the id of an answer. */
const idRead = (lines: readonly string[], answer: string): string => {
  const line = lines.find((one) => one.includes('$(node ')) ?? '';
  const { stdout } = spawnSync('sh', ['-c', `${line}; printf %s "$${line.split('=')[0]}"`], {
    env: { ...process.env, MADE: answer },
    encoding: 'utf8',
  });
  return stdout;
};

test('runs nothing that an answer says', () => {
  const lines = linesOf({ path: '/v1/agents/agt_1234' });
  const code = `import fs from "node:fs"; fs.writeSync(1, "ran"); process.exit()`;
  expect(idRead(lines, '{"data":{"id":"agt_5"}}')).toBe('agt_5');
  expect(idRead(lines, `--import=data:text/javascript,${code}`)).toBe('');
});

test('reads an id from a field of any name', () => {
  const name = 'i\'d"; `$(id)` é\u2028';
  const call: Call = { method: 'POST', path: '/v1/webhooks', body: { name: 'a' }, key: given };
  records.sent(7, call, wired(call));
  records.made(7, { collection: '/v1/webhooks', id: 'whk_1234', place: `/data/${name}`, maker: given });
  const lines = linesOf({ path: '/v1/webhooks/whk_1234', method: 'DELETE' }, 8);
  expect(lines.join('\n')).toMatch(/^[\x20-\x7e\n]+$/);
  expect(idRead(lines, JSON.stringify({ data: { [name]: 'whk_5' } }))).toBe('whk_5');
});
