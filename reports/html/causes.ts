import { counted } from '../../common/words.ts';
import { firstStepsText, type RootCause, rootCausesOf } from '../../results/root-causes.ts';
import type { Run } from '../../results/verdict.ts';
import { oneLine } from '../text.ts';
import { failingVerdicts } from '../words.ts';
import { type Evidence, factsMarkup, scriptMarkup } from './finding.ts';
import { badge, type Markup, markup, moreMarkup, when } from './markup.ts';

const most = { causes: 40, clauses: 60 } as const;

/** What failed, by root cause, with the clauses to fix first on top. */
export function causesMarkup(run: Run, evidence: Evidence): Markup | null {
  const causes = failingVerdicts(run).flatMap((verdict) => rootCausesOf(run.clauses, verdict));
  const steps = firstStepsText(run.clauses);
  return when(
    causes.length > 0,
    () => markup`<section class="causes" id="causes" aria-labelledby="causes-title">
<h2 id="causes-title">What failed <span class="of">${counted(causes.length, 'cause')}</span></h2>
${when(steps !== '', () => markup`<p class="steps">${steps}</p>`)}
<ol>${causes.slice(0, most.causes).map((cause) => causeMarkup(cause, evidence))}</ol>
${moreMarkup(causes.length - most.causes, 'cause', 'among the clauses below')}
</section>`,
  );
}

function causeMarkup({ verdict, sentence, clauses, finding }: RootCause, evidence: Evidence): Markup {
  const [first] = clauses;
  const links = clauses
    .slice(0, most.clauses)
    .map(({ id }) => markup`<li><a href="#${id}"><code>${id}</code></a></li>`);
  const exchange = evidence.named(finding);
  const title = clauses.length === 1 && first !== undefined ? markup`<a href="#${first.id}">${first.title}</a>` : null;
  return markup`<li class="cause ${verdict}">
<p class="cause-head">${badge(verdict)} ${title ?? markup`<span>${counted(clauses.length, 'clause')}</span>`}</p>
<p class="message">${oneLine(sentence, 600)}</p>
${factsMarkup(finding)}
${when(clauses.length > 1, () => markup`<ul class="links">${links}</ul>`)}
${when(
  finding.curl !== undefined && exchange !== undefined,
  () => markup`<details class="repeat"><summary>Repeat it</summary>${scriptMarkup(finding.curl ?? '')}</details>`,
)}</li>`;
}
