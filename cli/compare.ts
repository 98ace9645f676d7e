import { CannotRun } from '../common/cannot-run.ts';
import { createRedactor } from '../common/redact.ts';
import { counted } from '../common/words.ts';
import { inert, oneLine, shortJson } from '../reports/text.ts';
import { looks } from '../reports/words.ts';
import { type Comparison, compareRuns, type EarlierRun } from '../results/earlier.ts';
import { carryOut, createCommand } from './command.ts';
import { readRun } from './read-file.ts';

function textOf({ verdicts, facts, inOne, isCutShort }: Comparison, before: EarlierRun, now: EarlierRun): string {
  const rows = verdicts.map(({ id, before: was, now: is, finding }) => {
    const why = finding === null ? '' : `: ${oneLine(finding, 300)}`;
    return `  ${looks[is].mark} ${id}: ${was} → ${is}${why}`;
  });
  const changed = facts.map(
    ({ clause, place, before: was, now: is }) =>
      `  ${clause} ${oneLine(place, 200)}: ${shortJson(was)} → ${shortJson(is)}`,
  );
  const counts = `${counted(verdicts.length, 'verdict')} and ${counted(facts.length, 'observed fact')} changed`;
  const changes = verdicts.length + facts.length === 0 ? 'Nothing changed' : counts;
  const lost = isCutShort ? ', the later of which was cut short' : '';
  return [
    ...(rows.length > 0 ? ['Verdicts', ...rows, ''] : []),
    ...(changed.length > 0 ? ['Observed facts', ...changed, ''] : []),
    ...(inOne > 0 ? [`${counted(inOne, 'clause')} judged in one of the runs only`] : []),
    `${changes} between the runs of ${before.startedAt} and ${now.startedAt}${lost}`,
    '',
  ].join('\n');
}

const command = createCommand(
  'compare',
  'A B',
  'Compares two runs: verdicts and observed facts that changed from A to B. Ends with 0 if nothing changed, 1 if something did or the later run was cut short, 2 if a run cannot be read or no clause was judged in both.',
)
  .argument('<a>', 'the earlier run: a folder of reports or a conformance.json')
  .argument('<b>', 'the later run');

function run(): number {
  const [first = '', second = ''] = command.args;
  const before = readRun(first, `Cannot compare ${first}`);
  const now = readRun(second, `Cannot compare ${second}`);
  const comparison = compareRuns(before, now);
  const { verdicts, facts, inBoth, isCutShort } = comparison;
  if (inBoth === 0) {
    throw new CannotRun('Cannot compare: no clause was judged in both runs');
  }
  process.stdout.write(createRedactor().clean(inert(textOf(comparison, before, now))));
  return verdicts.length + facts.length === 0 && !isCutShort ? 0 : 1;
}

await carryOut(command, run);
