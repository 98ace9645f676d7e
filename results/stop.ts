import type { Finding } from './verdict.ts';

/** Thrown by a check, or by what it stands on, when its clause cannot be decided; the findings say what would decide it. */
export class Inconclusive extends Error {
  readonly findings: readonly Finding[];
  constructor(...findings: readonly Finding[]) {
    super(findings[0]?.message ?? 'Cannot be decided');
    this.name = 'Inconclusive';
    this.findings = findings;
  }
}

/** Thrown when a clause is not tried. `needs`: the setting that keeps it from being, and what would allow it. */
export class Skipped extends Error {
  readonly finding: Finding;
  constructor(message: string, needs?: NonNullable<Finding['needs']>) {
    super(message);
    this.name = 'Skipped';
    this.finding = needs === undefined ? { message } : { message, needs };
  }
}

/** Thrown for wrong settings and targets out of reach: one line that says why and what to do; the run ends with 2. */
export class CannotRun extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CannotRun';
  }
}
