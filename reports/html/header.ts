import { counted } from '../../common/words.ts';
import type { ApiName } from '../../contract/clause.ts';
import type { Run } from '../../results/verdict.ts';
import { duration, oneLine } from '../text.ts';
import { driftText, headline, narrowed, referenceNotice, tone } from '../words.ts';
import { type Markup, markup, when } from './markup.ts';

/** The top of the page: the verdict and its reason, and the targets. */
export function headerMarkup(run: Run): Markup {
  const notice = referenceNotice(run);
  const compared = driftText(run);
  return markup`<header class="verdict ${run.embedded && run.conformant ? 'observed' : tone(run)}">
<p class="eyebrow">Conformance report · ${run.suite.name} ${run.suite.version}</p>
<h1>${headline(run)}${narrowed(run).map((what) => markup` <span class="partial">${what}</span>`)}</h1>
${notice === null ? null : markup`<p class="notice">${notice}.</p>`}
<p class="reason">${oneLine(run.reason, 1_000)}</p>
<dl class="facts">${targetFacts(run)}
<div><dt>Started</dt><dd><time datetime="${run.startedAt}">${moment(run.startedAt)}</time></dd></div>
<div><dt>Took</dt><dd>${duration(run.durationMs)}</dd></div>
<div><dt>Seed</dt><dd><code>${run.seed}</code></dd></div>
<div><dt>Exit status</dt><dd>${run.exitCode}</dd></div>
${when(run.selection !== null, () => markup`<div><dt>Chosen</dt><dd><code>${run.selection}</code></dd></div>`)}
${when(compared !== null, () => markup`<div><dt>Drift</dt><dd>${compared?.replace('drift: ', '')}</dd></div>`)}</dl>
</header>`;
}

const moment = (iso: string): string => iso.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');

const targetFacts = (run: Run): Markup[] =>
  (Object.keys(run.targets) as ApiName[]).map(
    (api) =>
      markup`<div class="target"><dt>${api} API</dt><dd><code>${oneLine(run.targets[api]?.url ?? '', 300)}</code>
<span class="of">${counted(run.requests[api], 'request')}</span></dd></div>`,
  );
