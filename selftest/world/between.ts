import type { Clock } from '../../common/clock.ts';
import { TransportFailure } from '../../common/transport-failure.ts';
import type { Transport, WireRequest, WireResponse } from '../../suites/session/transport/transport.ts';

/** Something between the suite and the deployment: a network, a proxy, a defect. It is made anew for each run. */
export type Between = (next: Transport, clock: Clock) => Transport;

/** Which calls are meant, by the request and its answer. */
type Where = (request: WireRequest, answer: WireResponse) => boolean;
type Change = (answer: WireResponse, request: WireRequest) => WireResponse;

/** `GET /v1/agents`: the call of a request, without its query. */
export const callOf = ({ method, url }: WireRequest): string => `${method} ${new URL(url).pathname}`;

const isCall = (call: string | RegExp, request: WireRequest): boolean =>
  typeof call === 'string' ? callOf(request) === call : call.test(callOf(request));

/** Successful calls, such as `POST /v1/agents`. */
export const succeeds =
  (call: string | RegExp): Where =>
  (request, { status }) =>
    status < 300 && isCall(call, request);

/** Creations that succeed. */
export const creations = succeeds(/^POST .*\/(keys|agents|leads|bookings|webhooks)$/);

/** Whether a request carries a key in any place. */
export const hasKey = ({ url, headers }: WireRequest): boolean =>
  /[?&]api_key=/.test(url) || headers.some(([name]) => /^(x-api-key|authorization)$/i.test(name));

/** An answer of its own, to requests for which there is one; others are passed on. */
export const inPlace =
  (make: (request: WireRequest, clock: Clock) => WireResponse | null): Between =>
  (next, clock) =>
  async (request) =>
    make(request, clock) ?? next(request);

/** An answer with such a text, or JSON, in no header lines but these. */
export const answerOf = (
  status: number,
  body: string | object,
  headers: Readonly<Record<string, string>> = { 'Content-Type': 'application/json' },
): WireResponse => saying({ status, headers: Object.entries(headers), body: Buffer.alloc(0) }, body);

/** Changes answers. */
export const answering =
  (make: () => Change): Between =>
  (next) => {
    const change = make();
    return async (request) => change(await next(request), request);
  };

/** Changes each n-th of the answers that are meant, beginning with the first; with Infinity, the first alone. */
export const changing = (where: Where, change: Change, every = 1): Between =>
  answering(() => {
    let count = 0;
    return (answer, request) =>
      where(request, answer) && (count += 1) % every === 1 % every ? change(answer, request) : answer;
  });

/** An answer with another text, or JSON. */
export const saying = (answer: WireResponse, body: string | object, status = answer.status): WireResponse => ({
  ...answer,
  status,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

/** The JSON of an answer or a request; an empty object if it has none. */
export function jsonOf({ body }: Pick<WireRequest | WireResponse, 'body'>): Record<string, unknown> {
  try {
    return (JSON.parse(String(body)) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** A workspace that refuses a call with this message, if `why` has one for its body; other calls are passed on. */
export const refusing = (
  call: string | RegExp,
  why: (body: Record<string, unknown>) => string | null,
  status = 400,
): Between =>
  inPlace((request) => {
    const message = isCall(call, request) ? why(jsonOf(request)) : null;
    const headers = { 'Content-Type': 'application/json', 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59' };
    const error = { code: 'unsuitable', message, status };
    return message === null ? null : answerOf(status, { error }, { ...headers, 'X-RateLimit-Reset': '1' });
  });

/** A network on which each call takes `ms` milliseconds longer. */
export const slow =
  (ms: number): Between =>
  (next, clock) =>
  async (request) => {
    await clock.sleep(ms);
    return next(request);
  };

/** A network that loses each n-th of the answers that are meant, once the deployment has carried out the call. */
export const losing = (where: Where, every = 1, kind: 'closed' | 'timeout' = 'closed'): Between =>
  changing(
    where,
    () => {
      throw new TransportFailure(kind, 'No complete answer came');
    },
    every,
  );

/** A gateway that sends each creation twice, and passes the second answer on. */
export const twice: Between = (next) => async (request) => {
  if (creations(request, { status: 200 } as WireResponse)) {
    await next(request);
  }
  return next(request);
};

/** A limiter that answers each second creation with 429 once it is made. */
export const limitedTooLate = changing(
  creations,
  (answer) => ({ ...saying(answer, '{}', 429), headers: [...answer.headers, ['Retry-After', '1']] }),
  2,
);
