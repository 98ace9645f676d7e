import { expect, test } from 'vitest';
import { Inconclusive } from '../../../../results/stop.ts';
import { createHalt } from '../../../../suites/run/halt.ts';
import type { WireResponse } from '../../../../suites/session/transport/transport.ts';
import { createVirtualClock } from '../../../virtual-clock.ts';

const response: WireResponse = { status: 200, headers: [], body: Buffer.from('{}') };

/** A halt, what goes through it, and the methods of the requests that were sent. */
function setUp() {
  const sent: string[] = [];
  const { promise, resolve } = Promise.withResolvers<WireResponse>();
  const halt = createHalt();
  const transport = halt.transport(async ({ method }) => {
    sent.push(method);
    return promise;
  });
  const send = (method: string) =>
    transport({ method, url: 'http://127.0.0.1/', headers: [], body: null }, { timeoutMs: 1, maxBody: 1 });
  return { halt, sent, send, answer: () => resolve(response), sleep: halt.clock(createVirtualClock()).sleep };
}

test('a run that is not stopped works as usual', async () => {
  const { send, answer, sleep, halt } = setUp();
  answer();
  expect(await send('GET')).toBe(response);
  await sleep(1_000_000);
  expect(halt.reason).toBe(null);
});

test('a stopped run sends nothing more, and all waits end, but for the answer to a create', async () => {
  const { halt, sent, send, sleep, answer } = setUp();
  const create = send('POST');
  const waiting = [send('GET'), sleep(1e12)];
  halt.stop('enough');
  halt.stop('again');
  for (const one of [...waiting, send('GET'), sleep(5)]) {
    await expect(one).rejects.toThrow(/Stopped before it was decided: enough/);
  }
  await expect(sleep(5)).rejects.toThrow(Inconclusive);
  answer();
  expect([await create, sent]).toEqual([response, ['POST', 'GET']]);
});

test('clean-up continues in a stopped run, with all that it starts', async () => {
  const { halt, sent, send, sleep, answer } = setUp();
  answer();
  halt.stop('enough');
  await halt.exempt(async () => {
    await sleep(10_000);
    await Promise.all([send('DELETE'), sleep(5).then(() => send('GET'))]);
  });
  expect(sent).toEqual(['DELETE', 'GET']);
});
