import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dayMs } from '../../contract/limits.ts';

/** The calls that one run made with a key on one day. Lines are only ever appended. */
interface DayEntry {
  /** A hash of the key and its origin, since the file must not hold keys. */
  readonly who: string;
  /** The day (UTC) by the deployment's clock, unique even if that runs faster. */
  readonly day: string;
  readonly admitted: number;
  readonly refused: number;
  /** ISO 8601. */
  readonly from: string;
  readonly to: string;
  /** Whether the daily limit was proven to be used up. */
  readonly full: boolean;
}

const dayLedgerFile = join('.ledger', 'load', 'per-day.jsonl');

export const whoIs = (secret: string, origin: string): string =>
  createHash('sha256').update(`${origin}\n${secret}`).digest('hex').slice(0, 24);

/** The deployment's day at this moment, and when it ends, if days pass `clockSpeed` times as fast as real ones. */
export function dayAt(now: number, clockSpeed: number): { day: string; endsAt: number } {
  const length = dayMs / clockSpeed;
  const number = Math.floor(now / length);
  const name = clockSpeed === 1 ? new Date(number * dayMs).toISOString().slice(0, 10) : `${clockSpeed}x${number}`;
  return { day: name, endsAt: (number + 1) * length };
}

/** All entries of the ledger. A line that was cut off when a run was killed is ignored. */
export function readDays(): DayEntry[] {
  if (!existsSync(dayLedgerFile)) {
    return [];
  }
  return readFileSync(dayLedgerFile, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        const entry = JSON.parse(line) as DayEntry;
        return typeof entry.who === 'string' && Number.isInteger(entry.admitted) ? [entry] : [];
      } catch {
        return [];
      }
    });
}

export function appendDay(entry: DayEntry): void {
  mkdirSync(dirname(dayLedgerFile), { recursive: true });
  appendFileSync(dayLedgerFile, `${JSON.stringify(entry)}\n`);
}

/** How many calls with this key were admitted that day. */
export const spentToday = (entries: readonly DayEntry[], who: string, day: string): number =>
  entries.filter((entry) => entry.who === who && entry.day === day).reduce((sum, entry) => sum + entry.admitted, 0);
