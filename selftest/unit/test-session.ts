import { parseSettings } from '../../settings/settings.ts';
import { developerApi } from '../../suites/developer/api.ts';
import { memoryLedger } from '../../suites/session/ledger/ledger.ts';
import { type OpenSession, openSession, type SessionParts } from '../../suites/session/open-session.ts';
import { workspaceApi } from '../../suites/workspace/api.ts';
import { createVirtualClock } from '../virtual-clock.ts';

const [developer, workspace] = [
  { api: developerApi, url: 'BASE_URL', key: 'SANDBOX_API_KEY', secret: 'svc_test_ofTheTest0123456789' },
  { api: workspaceApi, url: 'WORKSPACE_API_URL', key: 'WORKSPACE_API_KEY', secret: 'wsk_of_the_test_0123456789' },
] as const;

/** The main keys of test sessions. */
export const testKeys = { developer: developer.secret, workspace: workspace.secret } as const;

/**
 * A test session with one API on a virtual clock. It sends nothing unless it gets a transport. `env` has additional
 * settings.
 */
export function testSession(
  name: 'developer' | 'workspace',
  { env = {}, ...parts }: Partial<SessionParts> & { readonly env?: Readonly<Record<string, string>> } = {},
): OpenSession {
  const { api, url, key, secret } = { developer, workspace }[name];
  const { origin = 'https://api.test' } = parts;
  return openSession(api, {
    origin,
    settings: parseSettings({ [url]: origin, [key]: secret, ...env }),
    clock: createVirtualClock(),
    transport: () => Promise.reject(new Error('Nothing is sent')),
    ledger: memoryLedger(),
    seed: 1,
    tag: 'test',
    ...parts,
  });
}
