import type { Run } from '../results/verdict.ts';
import { jsonText } from './text.ts';
import { type Headline, headline, inScope } from './words.ts';

const colours: Readonly<Record<Headline, string>> = {
  Conformant: 'brightgreen',
  'Not conformant': 'red',
  Unknown: 'lightgrey',
};

/** badge.json: the run as a badge, in the format of shields.io endpoints. */
export function badgeReport(run: Run): string {
  const clauses = inScope(run).filter(({ level }) => level !== 'gap');
  const passed = clauses.filter(({ verdict }) => verdict === 'pass').length;
  const whose = run.embedded ? 'reference, ' : '';
  const badge = {
    schemaVersion: 1,
    label: 'conformance',
    message: `${whose}${headline(run).toLowerCase()}, ${passed} of ${clauses.length}`,
    color: run.embedded ? 'blue' : colours[headline(run)],
  };
  return jsonText(badge);
}
