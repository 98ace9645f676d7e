// What stands between the suite and a deployment, as public reports and released gateways have it.
import { describe, expect, test } from 'vitest';
import { refusedTextNotes } from '../../suites/records/refused-texts.ts';
import { answering, type Between } from '../world/between.ts';
import { world } from '../world/world.ts';

type Ran = Awaited<ReturnType<typeof world>>;

const broken = ({ results }: Ran): string[] =>
  results.filter(({ verdict }) => ['fail', 'warn', 'broken'].includes(verdict)).map(({ id }) => id);
const open = ({ results }: Ran): string[] =>
  results.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id);

/** Refuses writes whose body has such a text, with a page or in the form of a crash. */
const refusingText =
  (text: RegExp, status: number, body: string, type = 'application/json'): Between =>
  (next) =>
  async (request, bounds) => {
    const answer = await next(text.test(String(request.body)) ? { ...request, body: '{' } : request, bounds);
    return text.test(String(request.body))
      ? { status, headers: [...answer.headers, ['Content-Type', type]], body: Buffer.from(body) }
      : answer;
  };

const crash = JSON.stringify({ error: { code: 'internal_error', message: 'Something went wrong', status: 500 } });

describe('text that is refused is told as the cause, and the clauses that need a create are decided', () => {
  test('pivotal/postfacto#362: a column that takes no four-byte characters answers 500', async () => {
    const ran = await world({ api: 'workspace', between: [refusingText(/👍/u, 500, crash)] });
    expect(broken(ran)).toEqual(['workspace.errors.no-server-error']);
    expect(open(ran)).toEqual([]);
    const [finding] = ran.results.flatMap(({ findings, verdict }) => (verdict === 'fail' ? findings : []));
    expect(finding?.cause).toMatch(/^The text of the body/);
    expect(ran.left).toEqual([]);
  });

  test.each([
    ['OWASP Core Rule Set: a < is an attack, and gets a page', 403, '<h1>403 Forbidden</h1>', 'text/html'],
    ['ModSecurity: a < is an attack, and gets 406', 406, '<title>Not Acceptable!</title>', 'text/html'],
  ] as const)('%s', async (_, status, body, type) => {
    const ran = await world({ api: 'workspace', between: [refusingText(/</, status, body, type)] });
    expect(broken(ran).filter((id) => !/^workspace\.(responses|errors|limits)\./.test(id))).toEqual([]);
    expect(open(ran)).toEqual([]);
    expect(refusedTextNotes(ran.exchanges)).toEqual([expect.stringContaining(`POST /v1/agents (${status})`)]);
  });

  test('a validator of names takes letters alone', async () => {
    const refusal = JSON.stringify({ error: { code: 'invalid', message: 'Only letters are allowed', status: 400 } });
    const ran = await world({ api: 'workspace', between: [refusingText(/[^\x20-\x7e]|[<>&]/, 400, refusal)] });
    expect([broken(ran), open(ran)]).toEqual([[], []]);
  });
});

/** A gateway with a limit of its own, 1,000 a minute, that writes its values before or after the service's. */
const withOwnLimit = (place: 'before' | 'after', remaining = (theirs: string): string => theirs): Between =>
  answering(() => (answer) => {
    const own: Readonly<Record<string, string>> = {
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '999',
      'x-ratelimit-reset': '60',
    };
    const headers = answer.headers.flatMap(([name, value]): [string, string][] => {
      const gateway = own[name.toLowerCase()];
      const theirs: [string, string] = [name, /remaining/i.test(name) ? remaining(value) : value];
      if (gateway === undefined) {
        return [[name, value]];
      }
      return place === 'before' ? [[name, gateway], theirs] : [theirs, [name, gateway]];
    });
    return { ...answer, headers };
  });

describe("Kong/kong#14353: a gateway's limit beside the service's", () => {
  test.for(['before', 'after'] as const)('%s it: the minute’s is judged', async (place) => {
    for (const api of ['developer', 'workspace'] as const) {
      const ran = await world({ api, between: [withOwnLimit(place)] });
      expect([broken(ran), open(ran)]).toEqual([[], []]);
    }
  });

  test.for(['before', 'after'] as const)('%s it: a Remaining that stands still fails', async (place) => {
    const ran = await world({ api: 'developer', between: [withOwnLimit(place, () => '59')] });
    expect(broken(ran)).toContain('developer.limits.remaining');
  });
});

/** Stores the URLs of webhooks in another way than they were given. */
const storingUrls =
  (change: (url: URL) => string): Between =>
  (next) =>
  (request, bounds) => {
    const body = request.body?.toString().replace(/http:\/\/inbox\.local\/[^"]*/g, (url) => change(new URL(url)));
    return next(body === undefined ? request : { ...request, body }, bounds);
  };

test.each([
  ['lower-cases', ({ href }: URL) => href.toLowerCase(), /^\/hooks\/[^A-Z]+$/],
  ['encodes anew', ({ origin, pathname }: URL) => `${origin}/${encodeURIComponent(pathname.slice(1))}`, /^\/hooks%2F/],
] as const)(
  'a deployment that %s the URLs of webhooks is told so, with a delivery as evidence',
  async (_, change, path) => {
    const clauses = ['workspace.events.booking-created'];
    const { results } = await world({ api: 'workspace', clauses, between: [storingUrls(change)] });
    const findings = results.flatMap((one) => (one.verdict === 'fail' ? one.findings : []));
    expect(findings[0]?.message).toMatch(
      /^Deliveries to the first webhook go to another URL than the registered one: POST/,
    );
    expect(findings[0]?.actual?.replace('POST ', '')).toMatch(path);
  },
);
