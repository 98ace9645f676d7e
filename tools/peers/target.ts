import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { ApiName } from '../../contract/clause.ts';
import { keyLimits, planLimits } from '../../contract/limits.ts';
import { urlSettings } from '../../settings/target.ts';
import { startGroup } from './process.ts';
import type { Subject } from './sample.ts';
import { openTunnel } from './tunnel.ts';

/** A reference deployment that serves one subject, and the data that its user has. */
export interface Target {
  readonly api: ApiName;
  /** The origin that the tool is given: a tunnel to the API. */
  readonly origin: string;
  /** The settings that `npm run reference` printed, with the tunnel's origin. */
  readonly settings: Readonly<Record<string, string>>;
  /** The key with all permissions; the developer API's is a sandbox key. */
  readonly key: string;
  /** A key without permission: the workspace's limited key, or a key of the developer API with only content scopes. */
  readonly limitedKey: string;
  /** How many requests have come since the target was opened. */
  requests(): number;
  close(): Promise<void>;
}

/** How many times faster than real time limit windows pass, as in the suite's own proof. */
export const clockSpeed = 60;

/** The documented limits in calls a second of that clock, less a tenth, for tools that can keep to a rate. */
export const callsASecond: Readonly<Record<ApiName, number>> = {
  developer: Math.floor((keyLimits.sandbox.perMinute * clockSpeed * 0.9) / 60),
  workspace: Math.floor((planLimits.starter.perMinute * clockSpeed * 0.9) / 60),
};

const command = resolve(import.meta.dirname, '../../cli/reference.ts');

function argumentsFor({ kind, id }: Subject): string[] {
  const speed = ['--clock-speed', String(clockSpeed)];
  return kind === 'plain' ? speed : [...speed, `--${kind}`, id];
}

/** Creates the limited key of the developer API, as a user would; `none` if the deployment creates none. */
async function makeLimitedKey(origin: string, key: string): Promise<string> {
  const answer = await fetch(`${origin}/api/v1/developer/keys`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'content only', environment: 'sandbox', scopes: ['content:read', 'content:write'] }),
  });
  return /(?<=")svc[\w-]{20,}(?=")/.exec(await answer.text())?.[0] ?? 'none';
}

/** Starts `npm run reference` for the subject. Rejects if it does not start. */
export async function openTarget(subject: Subject): Promise<Target> {
  const child = startGroup(process.execPath, [command, ...argumentsFor(subject)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([
    once(createInterface(child.stdout as Readable), 'line'),
    ended.then(([code]) => Promise.reject(new Error(`Cannot serve ${subject.id}: the reference ended with ${code}`))),
  ])) as [string];
  const printed = JSON.parse(line) as Record<string, string>;
  const { api } = subject;
  const direct = printed[urlSettings[api]] ?? '';
  const key = printed[api === 'developer' ? 'SANDBOX_API_KEY' : 'WORKSPACE_API_KEY'] ?? '';
  const limitedKey =
    api === 'developer' ? await makeLimitedKey(direct, key) : (printed.WORKSPACE_LIMITED_API_KEY ?? 'none');
  const tunnel = await openTunnel(Number(new URL(direct).port));
  const origin = `http://127.0.0.1:${tunnel.port}`;
  return {
    api,
    origin,
    key,
    limitedKey,
    settings: { ...printed, [urlSettings[api]]: origin },
    requests: tunnel.requests,
    close: async () => {
      await tunnel.close();
      child.kill();
      await ended;
    },
  };
}
