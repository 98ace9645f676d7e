import { expect, test } from 'vitest';
import { Inconclusive } from '../../../../results/outcome.ts';
import { createHalt } from '../../../../suites/run/halt.ts';
import type { WireResponse } from '../../../../suites/session/transport/transport.ts';
import { createVirtualClock } from '../../../virtual-clock.ts';

// That a stopped run cleans up, and says of its clauses why they are open, the e2e tests show.
test('a stopped run sends nothing more, and all waits end, but for the answer to a create and for clean-up', async () => {
  const response: WireResponse = { status: 200, headers: [], body: Buffer.from('{}') };
  const answer = Promise.withResolvers<WireResponse>();
  const sent: string[] = [];
  const halt = createHalt();
  const { sleep } = halt.clock(createVirtualClock());
  const transport = halt.transport(({ method }) => {
    sent.push(method);
    return answer.promise;
  });
  const send = (method: string) => transport({ method, url: 'http://127.0.0.1/', headers: [], body: null });
  await sleep(1_000_000);
  const create = send('POST');
  const waiting = [send('GET'), sleep(1e12)];
  halt.stop('enough');
  for (const one of [...waiting, send('GET'), sleep(5)]) {
    await expect(one).rejects.toThrow(new Inconclusive({ message: 'Stopped before it was decided: enough' }));
  }
  answer.resolve(response);
  expect([await create, sent]).toEqual([response, ['POST', 'GET']]);
  await halt.exempt(() => Promise.all([send('DELETE'), sleep(5).then(() => send('GET'))]));
  expect(sent).toEqual(['POST', 'GET', 'DELETE', 'GET']);
});
