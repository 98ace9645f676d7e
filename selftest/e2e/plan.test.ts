import { describe, expect, test } from 'vitest';
import { start } from './run-suite.ts';
import { ofDeveloper, openStage } from './stage.ts';

const { serve, open } = openStage();

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** None that makes keys: how often their list is read depends on the time of answers. */
const someClauses = String.raw`developer\.sandbox\.(seed|products)|workspace\.(auth|agents|leads)\.`;

describe.concurrent('npm run plan', () => {
  test('counts the calls that npm test then sends', async () => {
    const env = { ...(await serve({ clockSpeed: 60 })), EXHAUST: 'none', SEED: '4' };
    const { stdout } = await start('cli/plan.ts', ['-t', someClauses], env).ended;
    const { reports } = await start('cli/test.ts', ['-t', someClauses], env).ended;
    const { requests } = JSON.parse(reports.get('conformance.json') ?? '') as { requests: Record<string, number> };
    const numbersIn = (line = ''): number[] => [...line.matchAll(/ (\d+)(?= |$)/g)].map(([number]) => Number(number));
    for (const api of stdout.split(/\n(?=\w+ API )/).slice(1)) {
      const [head = '', , , all, , , ...rows] = api.split('\n');
      const [total, ...credentials] = numbersIn(all);
      const endpoints = rows.slice(0, rows.indexOf('')).map((row) => numbersIn(row)[0] ?? 0);
      const sent = requests[head.split(' ', 1)[0] ?? ''];
      expect([numbersIn(head)[0], total, sum(credentials), sum(endpoints)]).toEqual([sent, sent, sent, sent]);
    }
  });

  test('sends nothing, and keeps to WRITES', async () => {
    let requests = 0;
    const { env } = await open({}, (usual) => (request) => {
      requests += 1;
      return usual(request);
    });
    const settings = { ...ofDeveloper(env), WRITES: 'none', EXHAUST: 'none' };
    const { code, stdout } = await start('cli/plan.ts', [], settings).ended;
    expect([code, requests, stdout.split('\n', 1)]).toEqual([
      ...[0, 0],
      ['What npm test would send with these settings; nothing was sent'],
    ]);
    expect(stdout).toMatch(/^developer API {2}http:\S+ {2}\d+ requests, no writes; judges \d+ of \d+ clauses$/m);
    expect(stdout).toMatch(/^ {2}To judge more, set .*WRITES=sandbox/m);
    expect(stdout).toMatch(/^Takes .*your deployment's response times; /m);
  });
});
