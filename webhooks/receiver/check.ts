import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { explainFailure } from '../../common/transport-failure.ts';
import { counted } from '../../common/words.ts';
import { type Answer, type CheckResult, isAccepted, judge, summarise } from './judge.ts';
import { probes } from './probes.ts';
import { createSigner, type Sent, type Signer, type SignerOptions } from './sign.ts';

export type ReceiverReport = Awaited<ReturnType<typeof checkReceiver>>;

/** What cannot be tested from outside. */
const notTested: readonly string[] = [
  'constant-time comparison: not tested (it cannot be judged over a network)',
  'idempotency: not tested (its effect cannot be seen from outside)',
];

interface CheckOptions extends SignerOptions {
  /** The scheme's name in the report. */
  readonly schemeName: string;
  /** How long one answer may take. */
  readonly timeoutMs?: number;
  /** How long a receiver that accepts no delivery any more may take until it does again. */
  readonly restartMs?: number;
}

/**
 * Tests a receiver with a validly signed delivery (the control), and then with each probe between two new controls.
 * Sends one request at a time, about twice as many as there are probes. Throws what `createSigner` throws, before
 * anything is sent.
 */
export async function checkReceiver(options: CheckOptions) {
  const { url, schemeName, timeoutMs = 10_000, restartMs = 3_000 } = options;
  const signer = createSigner(options);
  const bounds = { connections: 1, keepAliveTimeout: 1_000, maxResponseSize: 65_536 };
  const dispatcher = new Agent({ ...bounds, connect: { timeout: timeoutMs } });
  let requests = 0;
  // Follows no redirects, and repeats nothing.
  const send: Send = async ({ headers, body: sent }) => {
    requests += 1;
    try {
      const answer = await request(url, {
        method: 'POST',
        headers: headers.flat(),
        body: sent,
        dispatcher,
        signal: AbortSignal.timeout(timeoutMs),
      });
      // Terminals obey control characters.
      const body = (await answer.body.text().catch(() => '')).replace(/[\s\p{C}]+/gu, ' ').trim();
      return { status: answer.statusCode, text: body.slice(0, 200) || `${answer.headers.location ?? ''}` };
    } catch (error) {
      return { status: null, text: explainFailure(error).message };
    }
  };
  try {
    const judged = await drive(signer, send, restartMs);
    return { format: 1 as const, url, scheme: schemeName, ...judged, requests, notTested };
  } finally {
    await dispatcher.destroy();
  }
}

type Send = (sent: Sent) => Promise<Answer>;

async function drive(signer: Signer, send: Send, restartMs: number) {
  const control = (): Promise<Answer> => send(signer.signed());
  const valid = { id: 'valid', title: 'Delivery is validly signed', expects: 'accept' } as const;
  const first = await control();
  const checks = [judge(valid, first)];
  if (!isAccepted(first)) {
    return { checks, ...summarise(checks, { id: valid.id, answer: first }) };
  }
  for (const probe of probes) {
    const built = probe.build(signer);
    if (built === undefined) {
      continue;
    }
    const answer = await send(built);
    const after = await control();
    checks.push(judge(probe, answer, after));
    if (!isAccepted(after)) {
      await sleep(restartMs);
      const again = await control();
      if (!isAccepted(again)) {
        return { checks, ...summarise(checks, { id: probe.id, answer: again }) };
      }
    }
  }
  return { checks, ...summarise(checks) };
}

const signs = { pass: 'ok', fail: 'FAIL', inconclusive: '?' } as const;

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
