import { STATUS_CODES } from 'node:http';
import { parseJson } from '../../common/json.ts';
import type { Exchange, HeaderLines } from '../../results/exchange.ts';
import { block, duration, oneLine } from '../text.ts';
import { purposeOf } from '../words.ts';
import { type Markup, markup } from './markup.ts';

/** The id of the element that shows an exchange in full. */
export const anchorOf = ({ number }: Exchange): string => `exchange-${number}`;

/** `401 Unauthorized`, or that no response came. */
const outcomeOf = ({ response }: Exchange): string =>
  response === null ? 'no response' : `${response.status} ${STATUS_CODES[response.status] ?? ''}`.trim();

function pathOf(url: string, most: number): string {
  const path = URL.canParse(url) ? new URL(url).pathname + new URL(url).search : url;
  return oneLine(path, most);
}

/** One exchange on a line: its number in exchanges.har, the call, the status, and the key. */
export const exchangeLine = (exchange: Exchange): Markup =>
  markup`<span class="number">${exchange.number}</span> <code>${oneLine(exchange.request.method, 40)} ${pathOf(exchange.request.url, 120)}</code>
→ ${outcomeOf(exchange)} <span class="of">${oneLine(exchange.keyLabel ?? 'no key', 100)}</span>`;

/** One exchange in full, which opens on a click: request and response side by side. */
export function exchangeMarkup(exchange: Exchange): Markup {
  const { number, request, response, failure, sentAt, receivedAt } = exchange;
  const line = `${request.method} ${pathOf(request.url, 1_000)}`;
  const outcome = outcomeOf(exchange);
  const notRead = failure === null ? '' : `; body not read: ${failure.message}`;
  return markup`<details class="exchange" id="${anchorOf(exchange)}">
<summary>Exchange ${number}: <code>${oneLine(request.method, 40)} ${pathOf(request.url, 160)}</code>
→ <strong>${outcome}</strong></summary>
<p class="purpose">${oneLine(purposeOf(exchange), 300)}, ${duration(Math.max(0, receivedAt - sentAt))}</p>
<div class="panes">
<figure><figcaption>Request</figcaption>${pane(line, request.headers, request.body ?? '', 'Request')}</figure>
<figure><figcaption>Response</figcaption>${
    response === null
      ? pane(failure?.message ?? 'No response', [], '', 'Response')
      : pane(`HTTP ${outcome}${notRead}`, response.headers, laidOut(response.text), 'Response')
  }</figure>
</div></details>`;
}

function pane(first: string, headers: HeaderLines, body: string, label: string): Markup {
  const lines = headers
    .slice(0, 60)
    .map(([name, value]) => markup`<span class="name">${oneLine(name, 200)}:</span> ${oneLine(value, 1_000)}\n`);
  const text = body === '' ? null : markup`\n${block(body, 4_000, 120)}`;
  const head = markup`<strong>${oneLine(first, 1_000)}</strong>`;
  return markup`<pre tabindex="0" role="group" aria-label="${label}">${head}\n${lines}${text}</pre>`;
}

/** A JSON body, pretty-printed; any other text as it came. */
function laidOut(text: string): string {
  const json = text.length < 20_000 ? parseJson(text) : undefined;
  return typeof json === 'object' && json !== null ? JSON.stringify(json, null, 2) : text;
}
