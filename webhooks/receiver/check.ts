import { bodyProbes } from './body-probes.ts';
import { type CheckResult, judge } from './judge.ts';
import { createKit, type KitOptions, outgoing, type Probe, type ProbeKit } from './probe.ts';
import { notTested, type ReceiverReport, summarise } from './report.ts';
import { type Answer, createSender, type Send } from './send.ts';
import { signatureProbes } from './signature-probes.ts';
import { timeProbes } from './time-probes.ts';

export const probes: readonly Probe[] = [...bodyProbes, ...signatureProbes, ...timeProbes];

/** After this many refused controls in a row, no more probes are sent, since they would be inconclusive. */
const mostLostControls = 4;

const accepted = (answer: Answer | undefined): boolean =>
  answer?.kind === 'answer' && answer.status >= 200 && answer.status < 300;

interface CheckOptions extends Omit<KitOptions, 'url'> {
  /** The receiver's URL. Nothing is sent elsewhere. */
  readonly url: string;
  /** The scheme's name in the report. */
  readonly schemeName: string;
  /** The URL that the receiver assumes it is registered under, if it is another. */
  readonly registeredUrl?: string;
  /** How long one answer may take. */
  readonly timeoutMs?: number;
}

/**
 * Tests a receiver with a validly signed delivery (the control), and then with each probe between two new controls.
 * Sends one request at a time, about twice as many as there are probes. Throws what `sign` throws, before anything is
 * sent.
 */
export async function checkReceiver({
  url,
  registeredUrl = url,
  schemeName,
  timeoutMs = 10_000,
  ...options
}: CheckOptions): Promise<ReceiverReport> {
  const kit = createKit({ ...options, url: registeredUrl });
  const sender = createSender(url, timeoutMs);
  let requests = 0;
  const send: Send = (one) => {
    requests += 1;
    return sender.send(one);
  };
  try {
    const results = await drive(kit, send);
    return { format: 1, url, scheme: schemeName, ...results, requests, notTested };
  } finally {
    await sender.close();
  }
}

async function drive(kit: ProbeKit, send: Send): Promise<ReturnType<typeof summarise>> {
  const control = (): Promise<Answer> => send(outgoing(kit, kit.draft()));
  const first = await control();
  const results: CheckResult[] = [
    judge({ id: 'valid', title: 'Delivery is validly signed', expects: 'accept' }, first, true),
  ];
  let [before, lost] = [first, 0];
  for (const probe of accepted(first) ? probes : []) {
    const built = probe.build(kit);
    if (built === undefined) {
      continue;
    }
    if (lost >= mostLostControls) {
      results.push(judge(probe, undefined, false));
      continue;
    }
    const answer = await send(built);
    const after = await control();
    lost = accepted(after) ? 0 : lost + 1;
    results.push(judge(probe, answer, accepted(before) && accepted(after)));
    before = after;
  }
  if (accepted(first) && lost < mostLostControls) {
    results.push(await replay(kit, send));
  }
  return summarise(results, first);
}

/**
 * Sends the same delivery twice. A receiver that only verifies cannot distinguish the two, so either answer is right.
 */
async function replay(kit: ProbeKit, send: Send): Promise<CheckResult> {
  const delivery = outgoing(kit, kit.draft());
  const before = await send(delivery);
  return judge(
    { id: 'replayed', title: 'The same delivery comes a second time', expects: 'either' },
    await send(delivery),
    accepted(before),
  );
}
