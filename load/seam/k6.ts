// The seam to k6: the only file that uses its modules and globals. The scripts are plain functions on top of it.
import exec from 'k6/execution';
import http, { type RefinedResponse } from 'k6/http';
import { Counter } from 'k6/metrics';
import type { Options } from 'k6/options';
import { type Sample, sampleOf } from '../../limits/judge/trace.ts';
import { type Line, type Plan, type Read, type Row, type Subject, toRow } from './plan.ts';

/** Counts exceptions, since k6 ends with 0 in spite of them, and VUs that came to the end of their script. */
const errors = new Counter('suite_errors');
const done = new Counter('suite_done');
/** Counts the calls in the trace, which must equal k6's own count of requests. */
const sampled = new Counter('suite_samples');

/** The plan of this run. Throws if the script was started without one; k6 then exits with 107. */
export function readPlan(): Plan {
  const text = __ENV.LOAD_PLAN;
  if (text === undefined || text === '') {
    throw new Error('LOAD_PLAN is not set: start this script with npm run load');
  }
  return JSON.parse(text) as Plan;
}

/**
 * One iteration for each VU, no default that could silently cut a run short, and thresholds that fail if their metric
 * is empty.
 */
export function optionsFor(plan: Plan): Options {
  return {
    scenarios: {
      main: {
        executor: 'per-vu-iterations',
        vus: plan.vus,
        iterations: 1,
        maxDuration: `${Math.ceil(plan.boundMs / 1000)}s`,
        gracefulStop: '1s',
      },
    },
    thresholds: {
      suite_errors: ['count==0'],
      suite_done: [`count==${plan.vus}`],
      iterations: [`count==${plan.vus}`],
      suite_samples: ['count>0'],
      dropped_iterations: ['count==0'],
    },
    systemTags: ['status', 'method', 'name', 'error_code', 'scenario'],
    userAgent: 'two-api-conformance-load',
    maxRedirects: 0,
    summaryTrendStats: ['min', 'med', 'avg', 'p(90)', 'p(95)', 'p(99)', 'max', 'count'],
  };
}

/** The number of this VU over all instances, from 0. */
export const vuNumber = (): number => exec.vu.idInTest - 1;

const emit = (line: Line): void => {
  console.log(JSON.stringify(line));
};

/**
 * Collects the samples of one subject and writes them after each step, so that even a run that is cut off leaves its
 * trace.
 */
interface Recorder {
  readonly note: (note: string, value: unknown) => void;
  readonly progress: (step: string, calls: number) => void;
  readonly keep: (sample: Sample) => void;
  readonly flush: () => void;
  /** How many samples were kept so far. */
  readonly calls: () => number;
}

/** At most this many rows wait in memory to be written. */
const mostRows = 500;

function createRecorder(subject: string): Recorder {
  let rows: Row[] = [];
  let calls = 0;
  const flush = (): void => {
    if (rows.length > 0) {
      emit({ t: 'samples', subject, rows });
    }
    rows = [];
  };
  return {
    flush,
    calls: () => calls,
    keep(sample) {
      calls += 1;
      rows.push(toRow(sample));
      if (rows.length >= mostRows) {
        flush();
      }
    },
    note(note, value) {
      flush();
      emit({ t: 'note', subject, note, value });
    },
    progress(step, made) {
      flush();
      emit({ t: 'progress', subject, step, calls: made });
    },
  };
}

/**
 * Runs a VU's share of a script. Its trace ends with an `end` line; if it throws, with an `error` line, and the
 * exception is counted. `await` works in k6 as long as the whole iteration is one promise.
 */
export async function runShare(
  plan: Plan,
  subject: Subject,
  share: (recorder: Recorder) => Promise<void>,
): Promise<void> {
  const recorder = createRecorder(subject.label);
  emit({ t: 'begin', run: plan.run, script: plan.script, vu: vuNumber() });
  // The plan is written once for all instances together, for whoever judges the traces elsewhere.
  if (vuNumber() === 0) {
    emit({ t: 'plan', plan });
  }
  try {
    await share(recorder);
    recorder.flush();
    emit({ t: 'end', vu: vuNumber(), calls: recorder.calls() });
    done.add(1);
  } catch (error) {
    recorder.flush();
    errors.add(1);
    emit({ t: 'error', subject: subject.label, message: redact(subject, `${error as Error}`) });
  }
  sampled.add(recorder.calls());
}

const keyOf = (subject: Subject): string => {
  const key = __ENV[subject.keyEnv];
  if (key === undefined || key === '') {
    throw new Error(`${subject.keyEnv} is not set`);
  }
  return key;
};

const redact = (subject: Subject, text: string): string => text.split(__ENV[subject.keyEnv] ?? '\n').join('…');

function headersFor(subject: Subject, key: string): Record<string, string> {
  const common = { Accept: 'application/json' };
  return subject.api === 'developer'
    ? { ...common, 'X-API-Key': key }
    : { ...common, Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
}

/** Makes calls with one subject's key. Does not throw: no response is a sample with status 0. */
interface Caller {
  /** Makes the subject's read. Does not wait for other calls, so many at once make a burst. */
  readonly send: (phase: string) => Promise<Sample>;
  /** Like `send`, with a made-up key. */
  readonly intrude: () => Promise<Sample>;
  /** Like `send`, with another documented read. */
  readonly sendOther: (read: Read, phase: string) => Promise<Sample>;
  /** Blocks until the response is there, and gives that too. `url` is of a documented read of the same API. */
  readonly sendNow: (
    phase: string,
    url: string,
  ) => { readonly sample: Sample; readonly response: RefinedResponse<'text'> };
}

/** The fields of a sample that are known before the response. */
type Sent = Pick<Sample, 'key' | 'phase' | 'route'>;

const originOf = (url: string): string => /^https?:\/\/[^/]+/.exec(url)?.[0] ?? '';

export function createCaller(plan: Plan, subject: Subject, recorder: Recorder): Caller {
  const params = (key: string): Parameters<typeof http.asyncRequest>[3] & { responseType: 'text' } => ({
    headers: headersFor(subject, key),
    timeout: plan.timeoutMs,
    redirects: 0,
    responseType: 'text',
    tags: { name: subject.label },
  });
  const own = params(keyOf(subject));
  const unknown = params(subject.unknownKey);
  const record = (response: RefinedResponse<'text'> | null, sentAt: number, sent: Sent): Sample => {
    const sample = responseSample(subject, response, sentAt, sent);
    recorder.keep(sample);
    return sample;
  };
  const later = async (url: string, given: typeof own, sent: Sent): Promise<Sample> => {
    const sentAt = Date.now();
    const response = await http.asyncRequest('GET', url, null, given).catch(() => null);
    return record(response as RefinedResponse<'text'> | null, sentAt, sent);
  };
  return {
    send: (phase) => later(subject.url, own, { key: subject.label, phase }),
    intrude: () => later(subject.url, unknown, { key: 'unknown', phase: 'intruder' }),
    sendOther: ({ route, path }, phase) =>
      later(originOf(subject.url) + path, own, { key: subject.label, phase, route }),
    sendNow(phase, url) {
      const sentAt = Date.now();
      const response = http.get(url, own) as RefinedResponse<'text'>;
      return { response, sample: record(response, sentAt, { key: subject.label, phase }) };
    },
  };
}

/** A header's name as Go, and so k6, writes it: with a capital at the beginning of each part alone. */
const goName = (name: string): string => name.replace('RateLimit', 'Ratelimit');

/** How many characters of a refusal's body are kept. */
const bodyLimit = 4000;

function responseSample(
  subject: Subject,
  response: RefinedResponse<'text'> | null,
  sentAt: number,
  sent: Sent,
): Sample {
  const status = response === null ? 0 : response.status;
  // Read once, since each access to a field crosses from JavaScript to Go.
  const headers = response === null || status === 0 ? {} : response.headers;
  const body = status >= 400 && response !== null ? response.body : null;
  // The clock rounds down to whole milliseconds, so the response came before the next one.
  const call = { ...sent, sentAt, receivedAt: Date.now() + 1, status };
  const sample = sampleOf(call, (name) => headers[goName(name)] ?? null);
  return typeof body === 'string' ? { ...sample, body: redact(subject, body.slice(0, bodyLimit)) } : sample;
}

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, ms));
  });

/** The summary file: the metrics that k6 itself counted, and the run's id. The runner verifies the trace with it. */
export function summaryOf(
  plan: Plan,
  data: { metrics: Record<string, { values: Record<string, number> }> },
): Record<string, string> {
  const metrics = Object.fromEntries(Object.entries(data.metrics).map(([name, metric]) => [name, metric.values]));
  const path = __ENV.LOAD_SUMMARY;
  return path === undefined ? {} : { [path]: JSON.stringify({ run: plan.run, metrics }) };
}
