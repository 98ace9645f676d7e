import { CannotRun } from '../common/cannot-run.ts';
import { isLoopback } from '../common/uri.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy that the environment names, and the hosts that it exempts, as undici's EnvHttpProxyAgent takes them. */
export interface HttpProxy {
  /** Its URL, which may hold a user and a password. */
  readonly url: string;
  /** The variable that names it. */
  readonly variable: string;
  readonly noProxy: string;
}

/**
 * The proxy that the environment names for the scheme of a URL, in small letters or capitals, as for curl and k6. null:
 * none, as always for this machine. Throws CannotRun where the variable holds no URL.
 */
export function proxyFor(url: string, env: Environment = process.env): HttpProxy | null {
  const name = url.startsWith('https:') ? 'https_proxy' : 'http_proxy';
  const variable = env[name] === undefined ? name.toUpperCase() : name;
  const value = (env[variable] ?? '').trim();
  if (value === '' || isLoopback(url)) {
    return null;
  }
  const proxy = value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(proxy)) {
    throw new CannotRun(`${variable} must be the URL of a proxy`);
  }
  return { url: proxy, variable, noProxy: env.no_proxy ?? env.NO_PROXY ?? '' };
}
