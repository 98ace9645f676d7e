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

/** Thrown when a clause is not tried, because a setting keeps it from being; the message names the setting. */
export class Skipped extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Skipped';
  }
}
