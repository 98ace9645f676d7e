import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '../../common/words.ts';
import { type Bracket, type CheckResult, judge, type Summary, summarise } from './judge.ts';
import { createKit, type Kit, type KitOptions } from './kit.ts';
import { probes } from './probes.ts';
import { type Answer, createSender, type Send } from './send.ts';

export interface ReceiverReport extends Summary {
  readonly format: 1;
  readonly url: string;
  readonly scheme: string;
  readonly requests: number;
  readonly notTested: readonly string[];
}

/** What cannot be tested from outside. */
const notTested: readonly string[] = [
  'constant-time comparison: not tested (it cannot be judged over a network)',
  'idempotency: not tested (its effect cannot be seen from outside)',
];

interface CheckOptions extends Omit<KitOptions, 'url'> {
  /** The receiver's URL. Nothing is sent elsewhere. */
  readonly url: string;
  /** The scheme's name in the report. */
  readonly schemeName: string;
  /** The URL that the receiver assumes it is registered under, if it is another. */
  readonly registeredUrl?: string;
  /** How long one answer may take. */
  readonly timeoutMs?: number;
  /** How long a receiver that has stopped may take to be started again. */
  readonly restartMs?: number;
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
  restartMs = 3_000,
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
    const results = await drive(kit, send, restartMs);
    return { format: 1, url, scheme: schemeName, ...results, requests, notTested };
  } finally {
    await sender.close();
  }
}

const accepted = (answer: Answer): boolean => answer.kind === 'answer' && answer.status >= 200 && answer.status < 300;

/** After this many refused controls in a row, no more probes are sent, since they would be inconclusive. */
const mostLostControls = 4;

async function drive(kit: Kit, send: Send, restartMs: number): Promise<Summary> {
  const control = (): Promise<Answer> => send(kit.valid());
  const first = await control();
  const valid = { id: 'valid', title: 'Delivery is validly signed', expects: 'accept' } as const;
  const results: CheckResult[] = [judge(valid, first, 'accepted')];
  let [before, lost] = [accepted(first), 0];
  let gone: string | undefined;
  for (const probe of accepted(first) ? probes : []) {
    const built = probe.build(kit);
    if (built === undefined) {
      continue;
    }
    if (lost >= mostLostControls || gone !== undefined) {
      results.push(judge(probe, undefined, 'not accepted'));
      continue;
    }
    const answer = await send(built);
    let after = await control();
    const hasStopped = before && after.kind === 'failure';
    if (hasStopped) {
      await sleep(restartMs);
      after = await control();
      gone = after.kind === 'failure' ? probe.id : undefined;
    }
    lost = accepted(after) ? 0 : lost + 1;
    const bracket: Bracket = before && accepted(after) ? 'accepted' : 'not accepted';
    results.push(judge(probe, answer, hasStopped ? 'gone' : bracket));
    before = accepted(after);
  }
  if (accepted(first) && lost < mostLostControls && gone === undefined) {
    results.push(await replay(kit, send));
  }
  return summarise(results, first, gone);
}

/**
 * Sends the same delivery twice. A receiver that only verifies cannot distinguish the two, so either answer is right.
 */
async function replay(kit: Kit, send: Send): Promise<CheckResult> {
  const delivery = kit.valid();
  const before = await send(delivery);
  return judge(
    { id: 'replayed', title: 'The same delivery comes a second time', expects: 'either' },
    await send(delivery),
    accepted(before) ? 'accepted' : 'not accepted',
  );
}

const signs = { pass: 'ok', fail: 'FAIL', inconclusive: '?', observed: '-' } as const;

/** The report as a table: verdict, check, expectation, and the answer. */
export function consoleTable(report: ReceiverReport): string {
  const width = Math.max(...report.checks.map(({ id }) => id.length));
  const row = ({ id, title, expects, verdict, message }: CheckResult): string =>
    `${signs[verdict].padEnd(4)}  ${id.padEnd(width)}  ${expects}  ${title}${message === '' ? '' : `: ${message}`}`;
  return [
    `Receiver ${report.url}, scheme ${report.scheme}, ${counted(report.requests, 'request')}`,
    '',
    ...report.checks.map(row),
    '',
    ...report.summary,
    ...report.notTested.map((one) => `Note: ${one}`),
  ].join('\n');
}
