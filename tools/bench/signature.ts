import type { Sender } from '../../selftest/unit/webhooks/signature/deliveries.ts';
import { deliver, hmac, plain, sendingOf } from '../../selftest/unit/webhooks/signature/deliveries.ts';
import { families } from '../../selftest/unit/webhooks/signature/families.ts';
import { discoverScheme } from '../../webhooks/signature/discover.ts';

/**
 * Prints what discovery costs: milliseconds a delivery for each family, as medians of repeated searches, and how that grows
 * with the body. `node tools/bench/signature.ts`. Nothing is asserted, since machines differ.
 */
const rounds = 15;

function median(sender: Sender, secret: string, body?: string): number {
  const deliveries = deliver(
    sender,
    [0, 1].map((n) => sendingOf(n, body === undefined ? undefined : `{"n":${n},"text":"${body}"}`)),
  );
  const times = Array.from({ length: rounds }, () => {
    const begun = performance.now();
    discoverScheme(deliveries, secret, { lastResort: false });
    return (performance.now() - begun) / deliveries.length;
  });
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
}

for (const { sender, secret } of families) {
  median(sender, secret);
}
const costs = families
  .map(({ name, sender, secret }) => ({ name, ms: median(sender, secret) }))
  .sort((a, b) => a.ms - b.ms);
for (const { name, ms } of costs) {
  console.log(`${ms.toFixed(2).padStart(8)} ms  ${name}`);
}
const middle = costs[Math.floor(costs.length / 2)]?.ms ?? 1;
console.log(
  `median ${middle.toFixed(2)} ms a delivery; slowest family ${((costs.at(-1)?.ms ?? 0) / middle).toFixed(1)} times that`,
);

const slack = families.find(({ name }) => name === '4 Slack');
const wrong: Sender = ({ body, s }) => ({ 'X-Timestamp': s, 'X-Signature': hmac('another secret', `${s}.${body}`) });
for (const kib of [1, 16, 64, 256, 1024]) {
  const body = 'x'.repeat(kib * 1_024);
  const found = slack === undefined ? 0 : median(slack.sender, slack.secret, body);
  console.log(
    `${String(kib).padStart(5)} KiB body: ${found.toFixed(1)} ms a delivery found, ${median(wrong, plain, body).toFixed(1)} ms a delivery with nothing to find`,
  );
}
