import { bodyProbes } from './body-probes.ts';
import { type CheckResult, judge } from './judge.ts';
import { outgoing, type Probe, type ProbeKit } from './probe.ts';
import { notTested, type ReceiverReport, summarise } from './report.ts';
import type { Answer, Send } from './send.ts';
import { signatureProbes } from './signature-probes.ts';
import { timeProbes } from './time-probes.ts';

export const probes: readonly Probe[] = [...bodyProbes, ...signatureProbes, ...timeProbes];

/** How many controls in a row may be refused: after that the rest would be inconclusive, and the run ends. */
const mostLostControls = 4;

const accepted = (answer: Answer | undefined): boolean =>
  answer?.kind === 'answer' && answer.status >= 200 && answer.status < 300;

/**
 * Drives a receiver: a validly signed delivery (the control), then each probe between two controls that are signed afresh.
 * Sends through `send` only, one request at a time, about twice as many as there are probes. Throws nothing.
 */
export async function checkReceiver(
  kit: ProbeKit,
  send: Send,
  about: { readonly url: string; readonly scheme: string },
): Promise<ReceiverReport> {
  let requests = 0;
  const sendOne: Send = (one) => {
    requests += 1;
    return send(one);
  };
  const control = (): Promise<Answer> => {
    const draft = kit.draft();
    return sendOne(outgoing(draft, kit.sign(draft)));
  };
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
    const answer = await sendOne(built);
    const after = await control();
    lost = accepted(after) ? 0 : lost + 1;
    results.push(judge(probe, answer, accepted(before) && accepted(after)));
    before = after;
  }
  if (accepted(first) && lost < mostLostControls) {
    results.push(await replay(kit, sendOne));
  }
  return { format: 1, ...about, ...summarise(results, first), requests, notTested };
}

/** The same delivery twice: verifying cannot tell them apart, so either answer is right. */
async function replay(kit: ProbeKit, send: Send): Promise<CheckResult> {
  const draft = kit.draft();
  const delivery = outgoing(draft, kit.sign(draft));
  const before = await send(delivery);
  return judge(
    { id: 'replayed', title: 'The same delivery comes a second time', expects: 'either' },
    await send(delivery),
    accepted(before),
  );
}
