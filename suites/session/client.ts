import type { Clock } from '../../common/clock.ts';
import { deepest, isTooDeep } from '../../common/nesting.ts';
import type { Redactor } from '../../common/redact.ts';
import type { Api } from '../../contract/clause.ts';
import { minuteMs } from '../../contract/limits.ts';
import { type Exchange, headerOf } from '../../results/exchange.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Budget } from './budget.ts';
import type { Answer, Call } from './call.ts';
import type { Evidence } from './evidence.ts';
import { createGate } from './gate.ts';
import type { ApiKey } from './key.ts';
import type { Permit } from './permit.ts';
import { type Transport, TransportFailure, type WireResponse } from './transport.ts';
import { curlOf, wireOf } from './wire.ts';

/** The only way to the deployment: paced, bounded, recorded, and no more than the settings allow. */
export interface Client {
  /**
   * Sends a call when the budget allows, waits out 429s that nobody provoked, and gives a new key time to settle; every
   * attempt is evidence. A transport failure is an answer of status 0.
   * Throws Skipped where the settings forbid it, Inconclusive where the key stays limited.
   */
  send(call: Call): Promise<Answer>;
  /** Sends exactly one request, now, whatever the budget says: for calls that are to meet the limit. */
  once(call: Call): Promise<Answer>;
  /** Throws Skipped where EXHAUST forbids using up the key's budget. */
  mayExhaust(key: ApiKey): void;
}

export interface ClientParts {
  readonly api: Api;
  readonly origin: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly evidence: Evidence;
  readonly budget: Budget;
  readonly permit: Permit;
  readonly redactor: Redactor;
  readonly timeoutMs: number;
  readonly settleMs: number;
  readonly clockSpeed: number;
  /** Most exchanges at a time. */
  readonly concurrency?: number;
}

const maxBody = 4 * 1024 * 1024;
/** Stands for the calls without a key: a deployment may limit those too. */
const nobody: ApiKey = { secret: '', label: 'no key', environment: 'sandbox', origin: 'unknown' };

export function createClient(parts: ClientParts): Client {
  const { clock, budget, permit } = parts;
  const gate = createGate(parts.concurrency ?? 12);
  const windowMs = minuteMs / parts.clockSpeed;

  const once = (call: Call): Promise<Answer> =>
    gate(async () => {
      if (call.deletes) {
        permit.release();
      }
      if (call.creates) {
        permit.reserve();
      }
      try {
        permit.spend(call.method, call.key);
      } catch (error) {
        if (call.creates) {
          permit.release();
        }
        throw error;
      }
      const answer = await exchange(parts, call);
      if (call.creates && answer.status >= 400) {
        permit.release();
      }
      return answer;
    });

  async function paced(call: Call): Promise<Answer> {
    const key = call.key ?? nobody;
    for (;;) {
      if (budget.stuck(key)) {
        throw limited(call, key);
      }
      await budget.take(key);
      const answer = await once(call);
      if (answer.status !== 429) {
        if (answer.status !== 0) {
          budget.admitted(key);
        }
        return answer;
      }
      budget.hold(key, retryAfter(answer, windowMs));
    }
  }

  return {
    once,
    mayExhaust: (key) => permit.exhaust(key),
    async send(call) {
      const unsettled = call.unsettled ?? ((status: number) => status === 401 && call.key?.origin === 'own');
      const until = (call.key?.since ?? 0) + parts.settleMs;
      let answer = await repeatable(call, () => paced(call));
      for (let pause = 50; unsettled(answer.status) && clock.now() < until; pause *= 2) {
        await clock.sleep(Math.min(pause, until - clock.now()));
        answer = await paced(call);
      }
      return answer;
    },
  };
}

/** A pooled connection may be closed just as a request goes out on it: a read is sent once more, both attempts on record. */
async function repeatable(call: Call, send: () => Promise<Answer>): Promise<Answer> {
  const answer = await send();
  const closed = answer.exchange.failure?.startsWith('Connection is') === true;
  return closed && call.method === 'GET' ? send() : answer;
}

function limited(call: Call, key: ApiKey): Inconclusive {
  return new Inconclusive({
    message: `${call.method} ${call.path} is not tried: ${key.label} keeps getting 429 after whole minutes of waiting`,
    cause: 'Somebody else uses up the budget, or the limiter never lets go (see the limits clauses)',
  });
}

/** How long to keep off: what Retry-After says where it is plain seconds within a window, otherwise a whole window. */
function retryAfter(answer: Answer, windowMs: number): number {
  const text = answer.header('Retry-After') ?? '';
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) * 1000 : windowMs;
  return Math.min(Math.max(seconds, 1), windowMs) * 1.02 + 20;
}

async function exchange(parts: ClientParts, call: Call): Promise<Answer> {
  const request = wireOf(parts.api, parts.origin, call);
  for (const key of [call.key, call.queryKey]) {
    if (key) {
      parts.redactor.learn(key.secret);
    }
  }
  const number = parts.evidence.next();
  const sentAt = parts.clock.now();
  const outcome = await attempt(parts, request);
  const receivedAt = parts.clock.now();
  const live = 'failure' in outcome ? { status: 0, text: '', json: undefined } : decode(outcome);
  for (const secret of call.secretsIn?.(live.json) ?? []) {
    parts.redactor.learn(secret);
  }
  const { clean } = parts.redactor;
  const recorded: Exchange = {
    number,
    api: parts.api,
    sentAt,
    receivedAt,
    purpose: call.purpose ?? 'documented',
    endpoint: call.endpoint?.id ?? null,
    keyLabel: call.key?.label ?? null,
    keyValid: call.key !== null && call.key.origin !== 'unknown',
    request: {
      method: request.method,
      url: clean(request.url),
      body: request.body === null ? null : clean(cut(request.body)),
      headers: request.headers.map(([name, value]) => [name, cleanHeader(parts.redactor, call, value)]),
    },
    response: 'failure' in outcome ? null : recordedResponse(outcome, live, parts.redactor),
    failure: 'failure' in outcome ? outcome.failure : null,
    // Only a finding asks for it.
    get curl() {
      return curlOf(request, call, clean);
    },
  };
  parts.evidence.add(recorded);
  const headers = 'failure' in outcome ? [] : outcome.headers;
  return { ...live, exchange: recorded, header: (name) => headerOf(headers, name) };
}

/** An oversized probe need not stand in the evidence whole. */
const cut = (text: string): string =>
  text.length > 65_536 ? `${text.slice(0, 1024)}… (${text.length} characters)` : text;

/** A made-up key may be too short for the redactor to have learnt it; a basic credential hides one in base64. */
function cleanHeader({ clean }: Redactor, call: Call, value: string): string {
  return call.mode === 'basic' && value.startsWith('Basic ') ? 'Basic …' : clean(value);
}

async function attempt(
  parts: ClientParts,
  request: ReturnType<typeof wireOf>,
): Promise<WireResponse | { failure: string }> {
  try {
    const answer = await parts.transport(request, { timeoutMs: parts.timeoutMs, maxBody });
    return isTooDeep(answer.body) ? { failure: `Body is nested deeper than ${deepest} levels` } : answer;
  } catch (error) {
    if (error instanceof TransportFailure) {
      return { failure: error.message };
    }
    throw error;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A body that is not UTF-8, or not JSON, has no `json`; its text is kept with replacement characters. */
function decode({ status, body }: WireResponse): { status: number; text: string; json: unknown } {
  try {
    const text = utf8.decode(body);
    return { status, text, json: JSON.parse(text) as unknown };
  } catch {
    return { status, text: body.toString('utf8'), json: undefined };
  }
}

function recordedResponse(
  outcome: WireResponse,
  live: { text: string; json: unknown },
  { clean, cleanJson }: Redactor,
): Exchange['response'] {
  const text = clean(live.text);
  return {
    status: outcome.status,
    headers: outcome.headers.map(([name, value]) => [name, clean(value)] as const),
    text,
    json: text === live.text ? live.json : cleanJson(live.json),
  };
}
