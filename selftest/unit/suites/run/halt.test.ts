import { expect, test } from 'vitest';
import { Inconclusive } from '../../../../results/stop.ts';
import { createHalt } from '../../../../suites/run/halt.ts';
import type { Transport, WireResponse } from '../../../../suites/session/transport/transport.ts';
import { createVirtualClock } from '../../../virtual-clock.ts';

const response: WireResponse = { status: 200, headers: [], body: Buffer.from('{}') };
const request = (method: string): Parameters<Transport> => [
  { method, url: 'http://127.0.0.1/', headers: [], body: null },
  { timeoutMs: 1, maxBody: 1 },
];

function setUp(): {
  halt: ReturnType<typeof createHalt>;
  sent: string[];
  transport: Transport;
  answer: () => void;
  sleep: (ms: number) => Promise<void>;
} {
  const sent: string[] = [];
  const { promise, resolve } = Promise.withResolvers<WireResponse>();
  const halt = createHalt();
  const transport = halt.transport(async ({ method }) => {
    sent.push(method);
    return promise;
  });
  const clock = halt.clock(createVirtualClock());
  return {
    halt,
    sent,
    transport,
    answer: () => {
      resolve(response);
    },
    sleep: clock.sleep,
  };
}

test('a run that is not stopped works as usual', async () => {
  const { transport, answer, sleep, halt } = setUp();
  answer();
  expect(await transport(...request('GET'))).toBe(response);
  await sleep(1_000_000);
  expect(halt.reason).toBe(null);
});

test('a stopped run sends nothing more, and all waits end', async () => {
  const { halt, sent, transport, sleep } = setUp();
  const waiting = [transport(...request('GET')), sleep(1e12)];
  halt.stop('enough');
  halt.stop('again');
  for (const one of [...waiting, transport(...request('GET')), sleep(5)]) {
    await expect(one).rejects.toThrow(/Stopped before it was decided: enough/);
  }
  await expect(sleep(5)).rejects.toThrow(Inconclusive);
  expect(sent).toEqual(['GET']);
});

test('a stopped run waits for the answer to a create, since it says what to delete', async () => {
  const { halt, transport, answer } = setUp();
  const create = transport(...request('POST'));
  halt.stop('enough');
  answer();
  expect(await create).toBe(response);
});

test('cleanup continues in a stopped run, with all that it starts', async () => {
  const { halt, sent, transport, sleep, answer } = setUp();
  answer();
  halt.stop('enough');
  await halt.exempt(async () => {
    await sleep(10_000);
    await Promise.all([
      transport(...request('DELETE')),
      (async () => {
        await sleep(5);
        await transport(...request('GET'));
      })(),
    ]);
  });
  expect(sent).toEqual(['DELETE', 'GET']);
});
