import { expect, test } from 'vitest';
import type { ApiKey, Call } from '../../../../../suites/session/call.ts';
import { mainKey } from '../../../../../suites/session/session.ts';
import { testSession } from '../../../test-session.ts';

const [keys, webhook, lead] = ['/api/v1/developer/keys', '/v1/webhooks/whk_1234', '/v1/leads/7'] as const;

/** The script of a call that gets this status, once the run has made a key, a webhook and a lead. */
async function scriptOf(call: Partial<Call>, status = 200, env = {}): Promise<string> {
  const serve = (): Response => Response.json({}, { status });
  const session = testSession('developer', { origin: 'http://api.test', serve, env: { WRITES: 'all', ...env } });
  const maker = mainKey(session);
  const send = async (changes: Partial<Call>) => {
    const headers = { Accept: '', 'Content-Type': '' };
    const whole: Call = { method: 'GET', path: '/', key: maker, mode: 'header', headers, ...changes };
    return (await session.client.sendNow(whole)).exchange;
  };
  const make = async (collection: string, id: string, place: string): Promise<void> => {
    const { number } = await send({ method: 'POST', path: collection, body: {} });
    session.records.made({ collection, id, at: session.clock.now() }, { number, place, maker });
    session.writeGuard.allow(collection, id);
  };
  await make(keys, 'key_1234', '/id');
  await make('/v1/webhooks', 'whk_1234', '/i\'d"; `$(id)` é\u2028');
  await make('/v1/leads', '7', '/id');
  session.redactor.learn('whsec_abcdefghij');
  return (await send(call)).curl?.() ?? '';
}

const key: ApiKey = { secret: '', label: 'another key', environment: 'sandbox', origin: 'unknown' };
const creation = { collection: keys, scopes: [], secretAt: '/key' };
const own: ApiKey = { ...key, secret: 'svc_test_abcdefghij', origin: 'own', id: 'key_1234', creation };
const derivedFrom: ApiKey = { ...key, secret: 'svc_test_0123456789', label: 'SANDBOX_API_KEY', origin: 'given' };
const bypass = { EXTRA_HEADERS: JSON.stringify({ "X-By'pass": 'open "$HOME"' }) };

/** What e2e/scripts.test.ts does not show, which runs scripts: texts with quotes, made-up secrets, hostile answers. */
const scripts: Readonly<Record<string, () => Promise<string>>> = {
  'The key is read from its setting, and nothing of a body is run': () =>
    scriptOf({ method: 'PUT', body: `'"$HOME \`id\`` }),
  'So if the body has a secret that was made up, which no script shows': () =>
    scriptOf({ method: 'POST', body: { secret: 'whsec_abcdefghij', text: `'"$HOME \`id\`` } }),
  'A key that was made up becomes another': () =>
    scriptOf({ key: { ...key, secret: 'svc_live_abcdefghijklmnop', derivedFrom } }),
  'An empty key, which curl would leave out': () => scriptOf({ key }),
  'curl encodes a key in the query: a + would become a blank': () => scriptOf({ mode: 'query' }),
  'EXTRA_HEADERS go with each call': () => scriptOf({ key: own }, 200, bypass),
  'Reads use up a limit': () => scriptOf({}, 429),
  'Writes do not': () => scriptOf({ method: 'POST' }, 429),
  'An id may be in a field of any name; where none comes, no call gets the path of the collection': () =>
    scriptOf({ method: 'DELETE', path: webhook }),
  'What no call makes again is not changed: its id may be of others by now': () =>
    scriptOf({ method: 'PATCH', path: lead }),
  'It is read': () => scriptOf({ path: lead }),
};

test('scripts are as recorded', async () => {
  const texts = Object.entries(scripts).map(async ([says, script]) => `# ${says}.\n${await script()}\n`);
  await expect((await Promise.all(texts)).join('\n')).toMatchFileSnapshot('scripts.txt');
});
