import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { settings } from '../../contract/settings.ts';
import type { Exchange } from '../../results/exchange.ts';
import { foldedMarkup, type Markup, markup, scrolling, tableMarkup } from './markup.ts';

const names = new Set(settings.map(({ name }) => name));

/** The credential of a call: a setting's name, or a kind of keys. */
function credentialOf({ keyLabel, keyValid }: Exchange): string {
  if (keyLabel === null) {
    return 'no key';
  }
  if (names.has(keyLabel)) {
    return keyLabel;
  }
  return keyValid ? 'keys of the run' : 'invalid keys';
}

/** What each endpoint answered to each credential. */
export function credentialMatrix(exchanges: readonly Exchange[]): Markup {
  const used = new Set(exchanges.map(credentialOf));
  const columns = [...names, 'keys of the run', 'invalid keys', 'no key'].filter((column) => used.has(column));
  const label = 'Endpoints by credential';
  return foldedMarkup('credentials', label, 'statuses received', table(exchanges, label, columns, credentialOf));
}

const scopeColumns = ['neither scope', 'read scope', 'write scope', 'both scopes'] as const;

/** Which of the two scopes of the endpoint's module the run's key had; null for other keys. */
function scopesOf({ keyScopes }: Exchange, { scope }: Endpoint): string | null {
  if (keyScopes === undefined || scope === null) {
    return null;
  }
  const read = keyScopes.includes(`${scope}:read`);
  const write = keyScopes.includes(`${scope}:write`);
  return scopeColumns[Number(read) + 2 * Number(write)] ?? null;
}

/** What each endpoint answered to keys with and without its module's scopes; null if there were no such keys. */
export function scopeMatrix(exchanges: readonly Exchange[]): Markup | null {
  const label = 'Endpoints by scope';
  return exchanges.some(({ keyScopes }) => keyScopes !== undefined)
    ? foldedMarkup('scopes', label, 'keys that the run made', table(exchanges, label, scopeColumns, scopesOf))
    : null;
}

/** A table of the statuses that each endpoint answered with. `columnOf`: the column of a call; null if it has none. */
function table(
  exchanges: readonly Exchange[],
  label: string,
  columns: readonly string[],
  columnOf: (exchange: Exchange, endpoint: Endpoint) => string | null,
): Markup {
  const byEndpoint = Map.groupBy(
    exchanges.filter(({ purpose }) => purpose !== 'off-document'),
    ({ endpoint }) => endpoint,
  );
  const rows = endpoints.flatMap((endpoint) => {
    const own = Map.groupBy(byEndpoint.get(endpoint.id) ?? [], (exchange) => columnOf(exchange, endpoint));
    const any = columns.some((column) => own.has(column));
    const cells = columns.map((column) => markup`<td>${cell(own.get(column) ?? [])}</td>`);
    return any ? [markup`<tr><th scope="row"><code>${endpoint.id}</code></th>${cells}</tr>`] : [];
  });
  return scrolling(label, tableMarkup('matrix', ['', ...columns], rows));
}

/** The statuses that came, with how often each did. */
function cell(exchanges: readonly Exchange[]): Markup[] {
  const statuses = Map.groupBy(exchanges, ({ response }) => response?.status ?? 0);
  return [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, own]) => {
      const times = own.length === 1 ? null : markup`<small>×${own.length}</small>`;
      return markup`<span class="status ${toneOf(status)}">${status === 0 ? 'none' : status}${times}</span> `;
    });
}

/** The verdict in whose colour a status is shown. */
function toneOf(status: number): string {
  if (status === 0 || status >= 500) {
    return 'fail';
  }
  if (status === 429) {
    return 'warn';
  }
  return status < 300 ? 'pass' : 'skip';
}
