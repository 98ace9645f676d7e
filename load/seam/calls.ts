// The calls of a script with one key, by k6's HTTP client, and their trace.
import http from 'k6/http';
import type { ApiName } from '../../contract/clause.ts';
import { keyPrefix } from '../../contract/scopes.ts';
import { type Sample, sampleOf } from '../../limits/judge/trace.ts';
import type { Plan, Subject } from './make-plan.ts';
import type { Line } from './trace.ts';

// A refusal over the limit is no failed request.
http.setResponseCallback(http.expectedStatuses({ min: 200, max: 399 }, 429));

/** Writes a line for the command. */
export function emit({ traced }: Plan, line: Line): void {
  if (traced) {
    console.log(JSON.stringify(line));
  }
}

/** A response whose body is judged. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}
type Seen = (response: Answer) => void;

/** What a script drives a key with. */
export type Tools = ReturnType<typeof toolsFor>;

/** The tools for one key. No function that sends throws: no response is a sample with status 0. */
export function toolsFor(plan: Plan, subject: Subject) {
  const { api, label, origin, url, keyEnv, secondEnv } = subject;
  const paramsOf = (key: string) => ({
    headers: { ...plan.extraHeaders, Accept: 'application/json', ...credential(api, key) },
    timeout: plan.timeoutMs,
    redirects: 0,
    responseType: 'text' as const,
    tags: { name: label },
  });
  const samples: Sample[] = [];
  const own = paramsOf(__ENV[keyEnv] ?? '');
  const second = paramsOf(__ENV[secondEnv] ?? '');
  const prefix = keyEnv === 'SANDBOX_API_KEY' ? keyPrefix.sandbox : keyPrefix.live;
  const unknown = paramsOf(`${api === 'developer' ? prefix : ''}${Math.random().toString(36).slice(2)}nobodyskey`);
  type Sent = Pick<Sample, 'key' | 'phase' | 'route'>;
  const call = async (to: string, params: typeof own, sent: Sent, seen?: Seen): Promise<Sample> => {
    const sentAt = Date.now();
    const response = await http.asyncRequest('GET', to, null, params).catch(() => null);
    // Read once, since each access to a field crosses from JavaScript to Go. Without an answer there are no headers.
    const status = response?.status ?? 0;
    const headers = response?.headers ?? {};
    const body = response?.body;
    const text = typeof body === 'string' ? body : '';
    // The clock rounds down to whole milliseconds, so the response came before the next one.
    const sample = sampleOf(
      { ...sent, sentAt, receivedAt: Date.now() + 1, status },
      (name) => headers[goName(name)] ?? null,
    );
    const kept = status < 400 ? sample : { ...sample, body: redact(subject, text.slice(0, bodyLimit)) };
    samples.push(kept);
    // Written at once, so that even a run that is cut off leaves its trace. Bodies are for the judge alone.
    emit(plan, { t: 'call', subject: label, sample });
    seen?.({ status, contentType: headers['Content-Type'] ?? '', body: text });
    return kept;
  };
  return {
    subject,
    /** Makes the subject's read. Does not wait for other calls, so many at once make a burst. */
    send: (phase: string) => call(url, own, { key: label, phase }),
    /** Like `send`, with the second key of a pair. */
    sendSecond: (phase: string) => call(url, second, { key: secondEnv, phase }),
    /** Like `send`, with a made-up key. */
    intrude: () => call(url, unknown, { key: 'unknown', phase: 'intruder' }),
    /** Like `send`, with another documented read. `seen` gets the response, before the next call. */
    sendTo: (path: string, phase: string, seen?: Seen) =>
      call(origin + path, own, { key: label, phase, route: `GET ${path}` }, seen),
    sleep: (ms: number) =>
      new Promise<void>((resolve) => {
        setTimeout(resolve, Math.max(0, ms));
      }),
    now: () => Date.now(),
    /** All calls so far, in the order of sending. */
    samples: () => samples.toSorted((a, b) => a.sentAt - b.sentAt),
  };
}

const credential = (api: ApiName, key: string): Record<string, string> =>
  api === 'developer' ? { 'X-API-Key': key } : { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };

/** The text without the keys of a subject. */
export const redact = ({ keyEnv, secondEnv }: Subject, text: string): string =>
  [keyEnv, secondEnv].reduce((clean, name) => clean.split(__ENV[name] || '\n').join('…'), text);

/** A header's name as Go, and so k6, writes it: with a capital at the beginning of each part alone. */
const goName = (name: string): string => name.replace('RateLimit', 'Ratelimit');

/** How many characters of a refusal's body are kept. */
const bodyLimit = 4000;
