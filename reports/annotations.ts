import { firstStepsText, rootCausesOf } from '../results/root-causes.ts';
import type { Run } from '../results/verdict.ts';
import { inert, oneLine } from './text.ts';
import { failingVerdicts, fullReason, headline } from './words.ts';

/** GitHub shows the first ten annotations of a kind. */
const most = 10;

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const annotation = (kind: 'error' | 'warning', title: string, text: string): string =>
  `::${kind} title=${property(inert(oneLine(title, 200)))}::${data(inert(oneLine(text, 1_000))) || 'failed'}\n`;

/**
 * GitHub workflow commands that show each root cause as an annotation: errors for causes that failed the run, warnings
 * for the rest. If no clause failed and the exit status is not 0, the reason of the run is an error.
 */
export function githubAnnotations(run: Run): string {
  const failing = failingVerdicts(run);
  const causes = (['fail', 'broken', 'warn'] as const).flatMap((verdict) => rootCausesOf(run.clauses, verdict));
  const annotations = causes.map(({ verdict, clauses, sentence }) => {
    const [first] = clauses;
    const title = clauses.length > 1 ? `${first?.id} and ${clauses.length - 1} more` : (first?.id ?? '');
    return { kind: failing.includes(verdict) ? ('error' as const) : ('warning' as const), title, sentence };
  });
  const red = annotations.some(({ kind }) => kind === 'error');
  const steps = firstStepsText(run.clauses);
  const lead = steps === '' || !red ? '' : `${steps}. `;
  return [
    ...(run.exitCode !== 0 && !red ? [annotation('error', headline(run), fullReason(run))] : []),
    ...annotations
      .slice(0, most)
      .map(({ kind, title, sentence }, index) => annotation(kind, title, index === 0 ? lead + sentence : sentence)),
  ].join('');
}
