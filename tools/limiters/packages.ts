import rateLimitPlugin from '@fastify/rate-limit';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import fastify from 'fastify';
import { Hono } from 'hono';
import { rateLimiter } from 'hono-rate-limiter';
import { RateLimiter } from 'limiter';
import { RateLimiterMemory, RateLimiterQueue, RateLimiterRes } from 'rate-limiter-flexible';
import { answer, hasKey, key, listenOn, type RealLimiter, rightAndWrong, type Served, type Setup } from './limiter.ts';

type App = Parameters<typeof listenOn>[0];

function expressApp({ limit, windowMs }: Setup): App {
  const app = express();
  app.use((request, response, next) => (hasKey(request) ? next() : response.status(401).json({})));
  app.use(rateLimit({ windowMs, limit, keyGenerator: () => key, legacyHeaders: true, standardHeaders: false }));
  app.use((_request, response) => response.json({}));
  return app;
}

/** Two processes behind a balancer that alternates between them; each counts only its own calls. */
function twoProcesses(setup: Setup): App {
  const apps = [expressApp(setup), expressApp(setup)];
  let turn = 0;
  return (request, response) => apps[turn++ % apps.length]?.(request, response);
}

const onFastify =
  (continueExceeding: boolean) =>
  async ({ limit, windowMs }: Setup): Promise<Served> => {
    const app = fastify();
    app.addHook('onRequest', async (request, reply) => (hasKey(request.raw) ? undefined : reply.code(401).send({})));
    await app.register(rateLimitPlugin, {
      max: limit,
      timeWindow: windowMs,
      keyGenerator: () => key,
      continueExceeding,
    });
    app.get('/*', () => ({}));
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    return { origin, close: () => app.close() };
  };

function honoApp({ limit, windowMs }: Setup): App {
  const app = new Hono();
  app.use(async (context, next) => (context.req.header('X-API-Key') === key ? next() : context.json({}, 401)));
  app.use(rateLimiter({ windowMs, limit, keyGenerator: () => key, standardHeaders: 'draft-6' }));
  app.all('*', (context) => context.json({}));
  const listener = getRequestListener(app.fetch);
  return (request, response) => void listener(request, response);
}

/** rate-limiter-flexible leaves the response to its user; here it has the three headers, as its README shows. */
function flexible({ limit, windowMs }: Setup, blockMs = 0): App {
  const store = new RateLimiterMemory({ points: limit, duration: windowMs / 1000, blockDuration: blockMs / 1000 });
  const headersOf = ({ remainingPoints, msBeforeNext }: RateLimiterRes): Record<string, string> => ({
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(Math.max(0, remainingPoints)),
    'X-RateLimit-Reset': String(Math.ceil((Date.now() + msBeforeNext) / 1000)),
  });
  return (request, response) => {
    if (!hasKey(request)) {
      return answer(response, 401);
    }
    store.consume(key).then(
      (standing) => answer(response, 200, headersOf(standing)),
      (refusal: unknown) => answer(response, 429, refusal instanceof RateLimiterRes ? headersOf(refusal) : {}),
    );
  };
}

function queueing({ limit, windowMs }: Setup): App {
  const queue = new RateLimiterQueue(new RateLimiterMemory({ points: limit, duration: windowMs / 1000 }));
  return (request, response) => {
    if (!hasKey(request)) {
      return answer(response, 401);
    }
    queue.removeTokens(1, key).then(
      () => answer(response, 200),
      () => answer(response, 429),
    );
  };
}

function tokenBucket({ limit, windowMs }: Setup): App {
  const limiter = new RateLimiter({ tokensPerInterval: limit, interval: windowMs });
  return (request, response) => answer(response, hasKey(request) ? (limiter.tryRemoveTokens(1) ? 200 : 429) : 401);
}

const on =
  (make: (setup: Setup) => App) =>
  (setup: Setup): Promise<Served> =>
    listenOn(make(setup));

/** Limiters from packages. */
export const packages: readonly RealLimiter[] = [
  ...rightAndWrong('express-rate-limit', 'memory store', on(expressApp)),
  {
    name: 'express-rate-limit',
    configured: 'memory store, two processes by turns',
    change: 0,
    expected: ['more'],
    serve: on(twoProcesses),
  },
  ...rightAndWrong('rate-limiter-flexible', 'memory', on(flexible)),
  {
    name: 'rate-limiter-flexible',
    configured: 'memory, blocks for five windows',
    change: 0,
    expected: ['holds', 'undecided'],
    serve: on((setup) => flexible(setup, 5 * setup.windowMs)),
  },
  {
    name: 'rate-limiter-flexible',
    configured: 'queue: calls wait',
    change: 0,
    expected: ['holds', 'undecided'],
    serve: on(queueing),
  },
  ...rightAndWrong('@fastify/rate-limit', 'memory store', onFastify(false)),
  ...rightAndWrong('@fastify/rate-limit', 'refused calls renew the window', onFastify(true)),
  ...rightAndWrong('hono-rate-limiter', 'memory store, headers of the IETF draft', on(honoApp)),
  { name: 'limiter', configured: 'token bucket', change: 0, expected: ['more', 'holds'], serve: on(tokenBucket) },
];
