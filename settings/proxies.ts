import { CannotRun } from '../common/cannot-run.ts';
import { isLoopback } from '../common/uri.ts';
import type { Env } from './env-file.ts';

/** A proxy through which calls go. */
export type HttpProxy = NonNullable<ReturnType<typeof proxyFor>>;

/**
 * The proxy for calls of a URL, as curl and k6 read the environment: `https_proxy` or `http_proxy`, in small letters or
 * capitals, unless `no_proxy` names the host. null: none, as always for this machine. Throws CannotRun where the
 * variable holds no URL of a proxy. `variable`: its name; `url` may hold a user and a password.
 */
export function proxyFor(url: string, env: Env = process.env) {
  const { protocol } = new URL(url);
  const name = protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const variable = [name, name.toUpperCase()].find((one) => env[one] !== undefined);
  const value = variable === undefined ? '' : (env[variable] ?? '').trim();
  if (variable === undefined || value === '' || isLoopback(url) || isExempt(url, env.no_proxy ?? env.NO_PROXY ?? '')) {
    return null;
  }
  const proxy = value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol)) {
    throw new CannotRun(`${variable} must be the http or https URL of a proxy`);
  }
  return { url: proxy, variable };
}

/** Whether a list such as `example.com, .internal, 10.1.2.3:8080` names the host of a URL, or a domain that it is in. */
function isExempt(url: string, list: string): boolean {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/\.$/, '');
  const usualPort = protocol === 'https:' ? '443' : '80';
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, named = '', wantedPort] = /^(.+?)(?::(\d+))?$/.exec(entry.replace(/^\*?\./, '')) ?? [];
      const isHost = named === '*' || host === named || host.endsWith(`.${named}`);
      return isHost && [undefined, port || usualPort].includes(wantedPort);
    });
}
