import type { Run } from '../../results/verdict.ts';
import { deliveriesMarkup } from './deliveries.ts';
import { exchangesMarkup } from './exchanges.ts';
import { latencyMarkup } from './latency.ts';
import { limiterMarkup } from './limiter.ts';
import { type Markup, markup } from './markup.ts';
import { credentialMatrix, scopeMatrix } from './matrices.ts';

/**
 * All traffic: statuses by endpoint and credential, the limiter's timelines, latencies, webhook deliveries, all
 * exchanges.
 */
export function trafficMarkup(run: Run): Markup | null {
  if (run.exchanges.length === 0) {
    return null;
  }
  return markup`<section class="traffic" id="traffic" aria-labelledby="traffic-title"><h2 id="traffic-title">Traffic</h2>
${credentialMatrix(run.exchanges)}
${scopeMatrix(run.exchanges)}
${limiterMarkup(run)}
${latencyMarkup(run.exchanges)}
${deliveriesMarkup(run.deliveries)}
${exchangesMarkup(run.exchanges)}
</section>`;
}
