import type { Served } from '../fixtures/reference/server/serve.ts';

/** What was answered. */
export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Asks one API of a reference deployment past the sockets. */
export async function ask(
  api: Pick<Served, 'exchange'>,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | null = null,
): Promise<Asked> {
  const url = `http://reference.test${path}`;
  const answer = await api.exchange({ method, url, headers: Object.entries(headers), body });
  return {
    status: answer.status,
    headers: new Headers(answer.headers as [string, string][]),
    text: answer.body.toString('utf8'),
  };
}
