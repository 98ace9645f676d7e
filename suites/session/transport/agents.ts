import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { HttpProxy } from '../../../settings/proxies.ts';
import { metered } from './metered-connect.ts';

/** What connections to a deployment may take. */
interface AgentOptions {
  /** Most connections to one host for reads, and for writes. */
  readonly connections: number;
  /** How long a connection may take, ms. */
  readonly timeoutMs: number;
  readonly mostHeaderBytes: number;
  /** Most bytes of one answer on the wire. */
  readonly mostWireBytes: number;
}

/** How calls of a URL get to the deployment. */
interface Route {
  readonly proxy: HttpProxy | null;
  /** Keeps its connections. */
  readonly reading: Dispatcher;
  /** Has a connection for each call. */
  readonly writing: Dispatcher;
}

/** The agents of a transport, which are made as URLs need them. */
interface Agents {
  /** `isHttp2`: HTTP/2 is offered too; otherwise HTTP/1.1 alone. */
  routeOf(url: string, isHttp2: boolean): Route;
  close(): Promise<void>;
}

/** Makes agents that connect directly, or through the proxy of a URL. */
export function openAgents(options: AgentOptions, proxyOf: (url: string) => HttpProxy | null): Agents {
  const routes = new Map<string, Route>();
  return {
    routeOf(url, isHttp2) {
      const proxy = proxyOf(url);
      const name = `${proxy?.url ?? 'direct'} ${isHttp2}`;
      const route = routes.get(name) ?? {
        proxy,
        reading: dispatcher(options, proxy, { keepAliveTimeout: 2000, allowH2: isHttp2 }),
        writing: dispatcher(options, proxy, { pipelining: isHttp2 ? 1 : 0, allowH2: isHttp2 }),
      };
      routes.set(name, route);
      return route;
    },
    async close() {
      await Promise.all([...routes.values()].flatMap(({ reading, writing }) => [reading.destroy(), writing.destroy()]));
    },
  };
}

function dispatcher(options: AgentOptions, proxy: HttpProxy | null, reuse: Pool.Options): Dispatcher {
  const { connections, timeoutMs, mostHeaderBytes, mostWireBytes } = options;
  const common: Pool.Options = {
    connections,
    // Off: the deadline covers the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: mostHeaderBytes,
    ...reuse,
  };
  const allowH2 = reuse.allowH2 === true;
  if (proxy === null) {
    const connect = metered(buildConnector({ allowH2, timeout: timeoutMs }), mostWireBytes);
    return new Agent({ ...common, connect });
  }
  return new ProxyAgent({
    ...common,
    uri: proxy.url,
    connectTimeout: timeoutMs,
    requestTls: { allowH2 },
    // Called with the connector that goes through the proxy.
    factory: (origin, { connect }: { connect: buildConnector.connector }) =>
      new Pool(origin, { ...common, connect: metered(connect, mostWireBytes) }),
  });
}
