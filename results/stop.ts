import type { Finding } from './verdict.ts';

/**
 * Thrown by a check, or by a step that it needs, when its clause cannot be decided. The findings say what would decide
 * it.
 */
export class Inconclusive extends Error {
  readonly findings: readonly Finding[];
  constructor(...findings: readonly Finding[]) {
    super(findings[0]?.message ?? 'Cannot be decided');
    this.name = 'Inconclusive';
    this.findings = findings;
  }
}

/** Thrown when a clause is not tried. `needs` is the setting that would allow it, and the value that it must have. */
export class Skipped extends Error {
  readonly finding: Finding;
  constructor(message: string, needs?: NonNullable<Finding['needs']>) {
    super(message);
    this.name = 'Skipped';
    this.finding = needs === undefined ? { message } : { message, needs };
  }
}
