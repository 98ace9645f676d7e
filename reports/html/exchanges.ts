import { counted } from '../../common/words.ts';
import type { Exchange } from '../../results/exchange.ts';
import { oneLine } from '../text.ts';
import { pathOf } from './exchange.ts';
import { foldedMarkup, type Markup, markup, scrolling, tableMarkup, when } from './markup.ts';
import { toneOf } from './matrices.ts';

/** How many exchanges are listed, so that the page stays small; exchanges.har has all. */
const most = 2_000;

/** A table of the exchanges, with their numbers in exchanges.har. */
export function exchangesMarkup(exchanges: readonly Exchange[]): Markup {
  const rows = exchanges.slice(0, most).map(
    ({ number, request, response, keyLabel, sentAt, receivedAt }) =>
      markup`<tr><td>${number === 0 ? '–' : number}</td><td>${oneLine(request.method, 40)}</td><td>${pathOf(request.url, 100)}</td>
<td class="${toneOf(response?.status ?? 0)}">${response?.status ?? 'none'}</td><td>${oneLine(keyLabel ?? 'no key', 60)}</td><td>${Math.round(receivedAt - sentAt) || 0}</td></tr>`,
  );
  const left = exchanges.length - rows.length;
  const table = tableMarkup('exchanges', ['No', 'Method', 'Path', 'Status', 'Key', 'ms'], rows);
  return foldedMarkup(
    'exchanges',
    'Every exchange',
    `${counted(exchanges.length, 'exchange')}; bodies and headers are in exchanges.har`,
    markup`${scrolling('Exchanges', table)}${when(left > 0, () => markup`<p class="left">… and ${counted(left, 'exchange')} more</p>`)}`,
  );
}
