import type { Exchange } from '../../results/exchange.ts';
import type { Finding } from '../../results/verdict.ts';
import { block, oneLine } from '../text.ts';
import { anchorOf, exchangeMarkup } from './exchange.ts';
import { type Markup, markup, when } from './markup.ts';

/** One finding: what, expected beside actual, place, exchange, command, likely cause. `placed` gains the exchange. */
export function findingMarkup(finding: Finding, exchange: Exchange | undefined, placed: Set<Exchange>): Markup {
  const { message, place, cause, curl } = finding;
  return markup`<div class="finding">
<p class="message">${block(message, 4_000, 40)}</p>
${contrast(finding)}
${place === undefined ? null : fact('Place', markup`<code>${oneLine(place, 600)}</code>`)}
${exchangeFact(finding, exchange, placed)}
${curl === undefined ? null : command(curl)}
${cause === undefined ? null : fact('Likely cause', markup`<span class="cause">${block(cause, 4_000, 40)}</span>`)}
</div>`;
}

const fact = (label: string, content: Markup): Markup =>
  markup`<p class="fact"><span class="label">${label}</span> ${content}</p>`;

/** The button appears where a script can make it work. */
const command = (curl: string): Markup => markup`<div class="curl">
<pre tabindex="0" role="group" aria-label="Command that repeats the request">${block(curl, 8_000, 60)}</pre>
<button type="button" class="copy" hidden>Copy</button></div>`;

/** Expected beside actual. */
function contrast({ expected, actual }: Finding): Markup | null {
  const side = (name: string, text: string | undefined): Markup | null =>
    text === undefined ? null : markup`<div class="${name}"><dt>${name}</dt><dd>${block(text, 4_000, 60)}</dd></div>`;
  return when(
    expected !== undefined || actual !== undefined,
    () => markup`<dl class="contrast">${side('expected', expected)}${side('actual', actual)}</dl>`,
  );
}

/** The exchange where it stands in the page first, a link to it later, its line where there is none of that number. */
function exchangeFact(finding: Finding, exchange: Exchange | undefined, placed: Set<Exchange>): Markup | null {
  if (exchange === undefined) {
    return exchangeLine(finding);
  }
  if (placed.has(exchange)) {
    return fact('Exchange', markup`<a href="#${anchorOf(exchange)}">${exchange.number}, shown above</a>`);
  }
  placed.add(exchange);
  return exchangeMarkup(exchange);
}

function exchangeLine({ request, response, exchange: number }: Finding): Markup | null {
  if (request === undefined) {
    return null;
  }
  const trace = response?.traceId ? `, trace id ${response.traceId}` : '';
  const status = response === undefined ? '' : ` → ${response.status}${trace}`;
  const where = number === undefined ? '' : ` (exchange ${number} in exchanges.har)`;
  return fact('Exchange', markup`<code>${oneLine(`${request.method} ${request.url}${status}`, 600)}</code>${where}`);
}
