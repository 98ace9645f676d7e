import { counted } from '../../common/words.ts';
import type { ReceivedDelivery } from '../../results/verdict.ts';
import { block, oneLine } from '../text.ts';
import { foldedMarkup, type Markup, markup, moreMarkup } from './markup.ts';

const most = 20;

/** The webhook deliveries that arrived; findings about signatures are about these. */
export function deliveriesMarkup(deliveries: readonly ReceivedDelivery[]): Markup | null {
  if (deliveries.length === 0) {
    return null;
  }
  const items = deliveries.slice(0, most).map(deliveryMarkup);
  return foldedMarkup(
    'deliveries',
    'Webhook deliveries',
    `${counted(deliveries.length, 'delivery')}; npm run signature -- deliveries.har says more about them`,
    markup`${items}${moreMarkup(deliveries.length - most, 'delivery', 'in deliveries.har')}`,
  );
}

function deliveryMarkup({ method, url, headers, body, encoding }: ReceivedDelivery, index: number): Markup {
  const lines = headers
    .slice(0, 40)
    .map(([name, value]) => markup`<span class="name">${oneLine(name, 200)}:</span> ${oneLine(value, 600)}\n`);
  const text = encoding === 'utf8' ? body : `(base64) ${body}`;
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  return markup`<details class="exchange"><summary>Delivery ${index + 1}: <code>${oneLine(method, 20)} ${oneLine(path, 120)}</code></summary>
<pre tabindex="0" role="group" aria-label="Delivery ${index + 1}">${lines}\n${block(text, 4_000, 80)}</pre></details>`;
}
