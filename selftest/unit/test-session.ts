import { endpointOf } from '../../contract/endpoints.ts';
import { parseSettings } from '../../settings/settings.ts';
import { developerApi } from '../../suites/developer/api.ts';
import { type Answer, callOf } from '../../suites/session/call.ts';
import { memoryLedger } from '../../suites/session/ledger/ledger.ts';
import { openSession } from '../../suites/session/open-session.ts';
import { mainKey, type Session, type SessionParts } from '../../suites/session/session.ts';
import { handlerTransport } from '../../suites/session/transport/transport.ts';
import { workspaceApi } from '../../suites/workspace/api.ts';
import { createVirtualClock } from '../virtual-clock.ts';

const [developer, workspace] = [
  { api: developerApi, url: 'BASE_URL', key: 'SANDBOX_API_KEY', secret: 'svc_test_ofTheTest0123456789' },
  { api: workspaceApi, url: 'WORKSPACE_API_URL', key: 'WORKSPACE_API_KEY', secret: 'wsk_of_the_test_0123456789' },
] as const;

/** The main keys of test sessions. */
export const testKeys = { developer: developer.secret, workspace: workspace.secret } as const;

/** The parts of a test session: `env` has additional settings, and `serve` answers instead of a transport. */
type Parts = Partial<SessionParts> & {
  readonly env?: Readonly<Record<string, string>>;
  readonly serve?: (request: Request) => Response | Promise<Response>;
};

/** A test session with one API on a virtual clock. It sends nothing unless something answers. */
export function testSession(name: 'developer' | 'workspace', { env = {}, serve, ...parts }: Parts = {}): Session {
  const { api, url, key, secret } = { developer, workspace }[name];
  const { origin = 'https://api.test' } = parts;
  return openSession(api, {
    origin,
    settings: parseSettings({ [url]: origin, [key]: secret, ...env }),
    clock: createVirtualClock(),
    transport: handlerTransport(serve ?? (() => Promise.reject(new Error('Nothing is sent')))),
    ledger: memoryLedger(),
    seed: 1,
    tag: 'test',
    ...parts,
  });
}

/** What a call that creates an agent gets from a deployment that answers with this status. */
export function answerWith(status: number): Promise<Answer> {
  const json = status < 300 ? { id: 'a' } : { error: { code: 'no', message: 'No', status } };
  const session = testSession('workspace', { serve: () => Response.json(json, { status }), env: { WRITES: 'all' } });
  return session.client.sendNow(callOf(endpointOf('POST /v1/agents'), mainKey(session), { body: {} }));
}
