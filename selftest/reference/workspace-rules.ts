import { Ajv } from 'ajv';
import { limitHeaders } from '../../contract/limits.ts';
import { workspaceStatuses } from '../../contract/errors.ts';
import type { Exchange } from './workspace-wire.ts';

const errorBody = new Ajv().compile({
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'status'],
      properties: { code: { type: 'string', minLength: 1 }, message: { type: 'string' }, status: { type: 'integer' } },
    },
  },
});

const parsed = (text: string): { value: unknown } | null => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
};

const statusIn = (value: unknown): unknown => (value as { error: { status: unknown } }).error.status;

function* wrong({ method, status, headers, text }: Exchange): Generator<string> {
  const body = parsed(text);
  if (body === null) yield 'no JSON';
  if (!/^application\/([\w.-]+\+)?json\b/i.test(headers.get('Content-Type') ?? '')) yield 'not labelled as JSON';
  if (!workspaceStatuses.includes(status) && !(status === 405 && method === 'PUT'))
    yield 'a status that the document does not know';
  if (status >= 500) yield 'a server error';
  if (body !== null && status >= 400 && !errorBody(body.value)) yield 'no error body';
  else if (body !== null && status >= 400 && statusIn(body.value) !== status) yield 'another status in the error';
  for (const name of limitHeaders) if (headers.get(name) === null) yield `no ${name}`;
}

/** What the clauses on every response find wrong, written anew and shorter than the suites do. */
export const irregularities = (exchanges: readonly Exchange[]): string[] =>
  exchanges
    .filter(({ method }) => method !== 'OPTIONS')
    .flatMap((exchange) =>
      [...wrong(exchange)].map(
        (what) => `${exchange.method} ${exchange.path} ${exchange.status}: ${what}: ${exchange.text.slice(0, 200)}`,
      ),
    );
