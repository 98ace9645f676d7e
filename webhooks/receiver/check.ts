import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { explainFailure } from '../../common/transport-failure.ts';
import { counted } from '../../common/words.ts';
import type { HeaderLines } from '../signature/delivery.ts';
import { wrongSecret } from '../signature/keys.ts';
import type { Scheme } from '../signature/scheme.ts';
import { type Answer, type Bracket, type CheckResult, judge, type Summary, summarise } from './judge.ts';
import { probes, type Signer } from './probes.ts';
import { draftFor, type Sent, sign, signable } from './sign.ts';

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

interface CheckOptions {
  /** The receiver's URL. Nothing is sent elsewhere. */
  readonly url: string;
  readonly scheme: Scheme;
  /** The scheme's name in the report. */
  readonly schemeName: string;
  readonly secret: string;
  /** The URL that the receiver assumes it is registered under, if it is another. */
  readonly registeredUrl?: string;
  /** Headers in addition to the usual ones. */
  readonly headers?: HeaderLines;
  /** The payload; by default one is made up. */
  readonly body?: Buffer | undefined;
  /** How long one answer may take. */
  readonly timeoutMs?: number;
  /** How long a receiver that has stopped may take to be started again. */
  readonly restartMs?: number;
}

type SignerOptions = Omit<CheckOptions, 'schemeName'> & Partial<Pick<CheckOptions, 'schemeName'>>;

/** Signs the deliveries of a test. Throws a TypeError if the scheme or the secret cannot be used to sign. */
export function createSigner(
  { url, scheme, schemeName = '', secret, registeredUrl = url, headers = [], body }: SignerOptions,
  now = Date.now,
): Signer {
  const used = signable(scheme);
  return {
    scheme: used,
    wrongSecret: wrongSecret(secret),
    signed(change, { secret: other = secret, ...otherwise } = {}) {
      const draft = draftFor({ url: registeredUrl, schemeName, headers, body }, now());
      return sign(used, { ...draft, ...change?.(draft) }, other, otherwise);
    },
  };
}

/**
 * Tests a receiver with a validly signed delivery (the control), and then with each probe between two new controls.
 * Sends one request at a time, about twice as many as there are probes. Throws what `createSigner` throws, before
 * anything is sent.
 */
export async function checkReceiver(options: CheckOptions): Promise<ReceiverReport> {
  const { url, schemeName, timeoutMs = 10_000, restartMs = 3_000 } = options;
  const signer = createSigner(options);
  const dispatcher = new Agent({ connections: 1, connect: { timeout: timeoutMs }, keepAliveTimeout: 1_000 });
  let requests = 0;
  // Follows no redirects, and repeats nothing.
  const send: Send = async ({ headers, body }) => {
    requests += 1;
    try {
      const answer = await request(url, {
        ...{ method: 'POST', headers: headers.flat(), body, dispatcher },
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await beginningOf(answer.body).catch(() => '');
      return { kind: 'answer', status: answer.statusCode, text };
    } catch (error) {
      return { kind: 'failure', message: explainFailure(error).message };
    }
  };
  try {
    const results = await drive(signer, send, restartMs);
    return { format: 1, url, scheme: schemeName, ...results, requests, notTested };
  } finally {
    await dispatcher.destroy();
  }
}

type Send = (sent: Sent) => Promise<Answer>;

/** Reads at most so many bytes of an answer, and keeps so many characters of them. */
const [mostRead, mostKept] = [65_536, 200];

async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  let [text, read] = ['', 0];
  for await (const part of body) {
    text += text.length < mostKept ? part.toString('utf8') : '';
    read += part.length;
    if (read > mostRead) {
      break;
    }
  }
  // Terminals obey control characters.
  return text
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, mostKept);
}

const accepted = (answer: Answer): boolean => answer.kind === 'answer' && answer.status >= 200 && answer.status < 300;

async function drive(signer: Signer, send: Send, restartMs: number): Promise<Summary> {
  const control = (): Promise<Answer> => send(signer.signed());
  const first = await control();
  const results: CheckResult[] = [
    judge({ id: 'valid', title: 'Delivery is validly signed', expects: 'accept' }, first, 'accepted'),
  ];
  let before = accepted(first);
  for (const probe of before ? probes : []) {
    const built = probe.build(signer);
    if (built === undefined) {
      continue;
    }
    const answer = await send(built);
    let after = await control();
    const hasStopped = before && after.kind === 'failure';
    if (hasStopped) {
      await sleep(restartMs);
      after = await control();
    }
    const bracket: Bracket = before && accepted(after) ? 'accepted' : 'not accepted';
    results.push(judge(probe, answer, hasStopped ? 'gone' : bracket));
    if (hasStopped && after.kind === 'failure') {
      return summarise(results, { first, gone: probe.id });
    }
    before = accepted(after);
  }
  // Refused for its payload, another delivery is refused in another way for its signature.
  const unsigned =
    before || results.length > 1 || first.kind === 'failure'
      ? undefined
      : await send(signer.signed(undefined, { secret: signer.wrongSecret }));
  return summarise(results, { first, unsigned });
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
