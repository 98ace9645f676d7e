import type { Exchange } from '../../results/exchange.ts';
import { needsText } from '../../results/unlocks.ts';
import { type Finding, findingFacts, type Run } from '../../results/verdict.ts';
import { block, capital, oneLine } from '../text.ts';
import { anchorOf, exchangeLine, exchangeMarkup } from './exchange.ts';
import { type Markup, markup, when } from './markup.ts';

/** The exchanges of a run, indexed for the page. */
export type Evidence = ReturnType<typeof createEvidence>;

const isAccepted = ({ response, purpose }: Exchange): boolean =>
  response !== null && response.status >= 200 && response.status < 300 && purpose === 'documented';

export function createEvidence({ exchanges }: Run) {
  const placed = new Set<Exchange>();
  const byNumber = new Map(exchanges.map((exchange) => [exchange.number, exchange]));
  const byEndpoint = Map.groupBy(exchanges, ({ endpoint }) => endpoint);
  return {
    /** The exchange that a finding names. */
    named: ({ exchange }: Finding) => (exchange === undefined ? undefined : byNumber.get(exchange)),
    /** For a call that must be refused: the accepted call of the same endpoint that was sent nearest to it. */
    twin(exchange: Exchange) {
      if (exchange.purpose !== 'refusal' || exchange.endpoint === null) {
        return undefined;
      }
      const accepted = (byEndpoint.get(exchange.endpoint) ?? []).filter(isAccepted);
      const distance = ({ number }: Exchange): number => Math.abs(number - exchange.number);
      return accepted.toSorted((a, b) => distance(a) - distance(b))[0];
    },
    /** `first` the first time, when the exchange is to be shown in full; `again` later, when a link to it is enough. */
    place(exchange: Exchange) {
      const known = placed.has(exchange);
      placed.add(exchange);
      return known ? 'again' : 'first';
    },
  };
}

/** One finding: message, facts, what it waits for, exchange with its accepted twin, commands. */
export function findingMarkup(finding: Finding, evidence: Evidence): Markup {
  const { message, curl, blames, needs } = finding;
  return markup`<div class="finding">
<p class="message">${block(message, 4_000, 40)}</p>
${factsMarkup(finding)}
${blames === undefined ? null : fact('Blocked by', markup`<a href="#${blames}">${blames}</a>`)}
${needs === undefined ? null : fact('Needs', markup`<code>${needsText(needs)}</code>`)}
${exchangeFact(finding, evidence)}
${curl === undefined ? null : scriptMarkup(curl)}
</div>`;
}

const fact = (label: string, content: Markup): Markup =>
  markup`<p class="fact"><span class="label">${label}</span> ${content}</p>`;

/** What was expected and got, where, the likely cause and what would decide it: all facts that are no evidence. */
export function factsMarkup({ exchange, curl, ...finding }: Finding): Markup | null {
  const facts = findingFacts(finding).map(
    ([label, text]) =>
      markup`<div class="${label.split(' ', 1)}"><dt>${capital(label)}</dt><dd>${block(text, 4_000, 60)}</dd></div>`,
  );
  return when(facts.length > 0, () => markup`<dl class="contrast">${facts}</dl>`);
}

/** Commands that repeat a finding. The button to copy them appears only if scripts run. */
export const scriptMarkup = (text: string): Markup => markup`<div class="curl">
<pre tabindex="0" role="group" aria-label="Commands that repeat it">${block(text, 8_000, 60)}</pre>
<button type="button" class="copy" hidden>Copy</button></div>`;

/** The exchange of a finding: in full the first time, a link later, and one line if the page does not have it. */
function exchangeFact(finding: Finding, evidence: Evidence): Markup | null {
  const exchange = evidence.named(finding);
  if (exchange === undefined) {
    return requestLine(finding);
  }
  const twin = evidence.twin(exchange);
  return markup`${placed(exchange, evidence)}${
    twin === undefined ? null : fact('Accepted twin', markup`<span class="samples">${exchangeLine(twin)}</span>`)
  }`;
}

const placed = (exchange: Exchange, evidence: Evidence): Markup =>
  evidence.place(exchange) === 'first'
    ? exchangeMarkup(exchange)
    : fact('Exchange', markup`<a href="#${anchorOf(exchange)}">${exchange.number}, shown above</a>`);

/** The call of a finding whose exchange was not kept. */
const requestLine = ({ request }: Finding): Markup | null =>
  request === undefined
    ? null
    : fact('Exchange', markup`<code>${oneLine(`${request.method} ${request.url}`, 600)}</code>`);
