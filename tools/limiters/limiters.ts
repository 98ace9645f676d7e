import { createCommand } from '../../cli/command.ts';
import type { Verdict } from '../../limits/judge/judge.ts';
import { commandLine } from '../command.ts';
import { driveAll } from './drives.ts';
import type { RealLimiter } from './limiter.ts';
import { packages } from './packages.ts';
import { programs } from './programs.ts';

/** How many are judged at the same time: on few cores, more would slow down each other's bursts. */
const atOnce = 5;

const isRight = ({ expected }: RealLimiter, found: Verdict | string): boolean =>
  typeof found !== 'string' && [...expected, 'undecided'].includes(found.perMinute.verdict);

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
  const wrong: string[] = [];
  for (let start = 0; start < all.length; start += atOnce) {
    for (const { limiter, drive, k6 } of await driveAll(all.slice(start, start + atOnce))) {
      const label = `${limiter.name}: ${limiter.configured}`;
      process.stdout.write(`${label}\n   drive: ${summaryOf(drive)}\n   k6:    ${summaryOf(k6)}\n`);
      for (const found of [drive, k6].filter((one) => !isRight(limiter, one))) {
        wrong.push(`${label}: ${typeof found === 'string' ? found : found.perMinute.says}\n`);
      }
    }
  }
  process.stdout.write(
    `${all.length} limiters (nginx and haproxy only where they are installed), ${wrong.length} verdicts wrong\n${wrong.join('')}`,
  );
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
