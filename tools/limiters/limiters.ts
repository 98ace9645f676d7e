import { createCommand } from '../../cli/command.ts';
import type { Verdict } from '../../limits/judge/judge.ts';
import { commandLine } from '../command.ts';
import { driveAll, labelOf, type Row } from './drives.ts';
import type { RealLimiter } from './limiter.ts';
import { packages } from './packages.ts';
import { programs } from './programs.ts';

/** How many are judged at the same time: on few cores, more would slow down each other's bursts. */
const atOnce = 5;

const isRight = ({ expected }: RealLimiter, found: Verdict | string): boolean =>
  found === 'not here' || (typeof found !== 'string' && [...expected, 'undecided'].includes(found.perMinute.verdict));

function summaryOf(found: Verdict | string): string {
  if (typeof found === 'string') {
    return found;
  }
  const { perMinute, window, recovery } = found;
  const number = perMinute.enforced === null ? '' : ` ${perMinute.enforced}`;
  return `${perMinute.verdict}${number}; ${window.algorithm}; recovery ${recovery.verdict}`;
}

async function main(): Promise<number> {
  const all = [...packages, ...programs];
  const rows: Row[] = [];
  for (let start = 0; start < all.length; start += atOnce) {
    const some = await driveAll(all.slice(start, start + atOnce));
    for (const { limiter, drive: one, k6 } of some) {
      process.stdout.write(`${labelOf(limiter)}\n   drive: ${summaryOf(one)}\n   k6:    ${summaryOf(k6)}\n`);
    }
    rows.push(...some);
  }
  const wrong = rows.filter(({ limiter, drive: one, k6 }) => !isRight(limiter, one) || !isRight(limiter, k6));
  const open = rows.filter((row) =>
    [row.drive, row.k6].some((one) => typeof one !== 'string' && one.perMinute.verdict === 'undecided'),
  );
  process.stdout.write(`${rows.length} limiters, ${wrong.length} misjudged, ${open.length} undecided at least once\n`);
  for (const { limiter, drive: one, k6 } of wrong) {
    for (const found of [one, k6].filter((each) => typeof each !== 'string')) {
      process.stdout.write(`${labelOf(limiter)}: ${found.perMinute.says}\n`);
    }
  }
  return wrong.length === 0 ? 0 : 1;
}

commandLine(
  createCommand(
    'limiters',
    '',
    'Judges real limiters on loopback, each with the right limit and with wrong ones, by the calls of the suites and of k6. Ends with 1 if one of them is misjudged.',
  ),
);
process.exit(await main());
