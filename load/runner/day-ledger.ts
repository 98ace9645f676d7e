import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dayMs } from '../../contract/limits.ts';

/** What one run added to a key's day. Lines are only ever appended. */
interface DayEntry {
  /** Which key at which origin, as a hash: the file names no key. */
  readonly who: string;
  /** The day by the deployment's clock, UTC: a number that no other day has, whatever the clock's speed. */
  readonly day: string;
  readonly admitted: number;
  readonly refused: number;
  /** ISO 8601. */
  readonly from: string;
  readonly to: string;
  /** Whether the day was proven to be used up. */
  readonly full: boolean;
}

const dayLedgerFile = join('.ledger', 'load', 'per-day.jsonl');

export const whoIs = (secret: string, origin: string): string =>
  createHash('sha256').update(`${origin}\n${secret}`).digest('hex').slice(0, 24);

/** The day that holds this moment, and when it ends, where days pass `clockSpeed` times faster than they do. */
export function dayAt(now: number, clockSpeed: number): { day: string; endsAt: number } {
  const length = dayMs / clockSpeed;
  const number = Math.floor(now / length);
  const name = clockSpeed === 1 ? new Date(number * dayMs).toISOString().slice(0, 10) : `${clockSpeed}x${number}`;
  return { day: name, endsAt: (number + 1) * length };
}

/** Every entry of the ledger; a line that a kill cut off is passed over. */
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

/** Calls that were admitted of this key today. */
export const spentToday = (entries: readonly DayEntry[], who: string, day: string): number =>
  entries.filter((entry) => entry.who === who && entry.day === day).reduce((sum, entry) => sum + entry.admitted, 0);
