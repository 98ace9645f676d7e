import { accessSync, constants, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CannotRun } from '../results/stop.ts';
import type { Run } from '../results/verdict.ts';
import { badgeReport } from './badge.ts';
import { deliveriesHar, exchangesHar } from './har.ts';
import { htmlReport } from './html/page.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { profileReport } from './profile.ts';

/**
 * The files that a run leaves behind (INTERFACE.md), by name, conformance.json last. Every text goes through `clean` once
 * more: evidence was redacted when it was recorded, and a secret that got past that still reaches no file.
 */
export function reportsOf(run: Run, clean: (text: string) => string): ReadonlyMap<string, string> {
  const writers: readonly (readonly [string, (run: Run) => string])[] = [
    ['exchanges.har', exchangesHar],
    ['deliveries.har', deliveriesHar],
    ['profile.json', profileReport],
    ['badge.json', badgeReport],
    ['junit.xml', junitReport],
    ['summary.md', markdownReport],
    ['conformance.html', htmlReport],
    ['conformance.json', jsonReport],
  ];
  return new Map(writers.map(([name, write]) => [name, clean(write(run))]));
}

/** Writes all reports into a folder. Throws CannotRun, naming folder and cause, when a file cannot be written. */
export function writeReports(run: Run, folder: string, clean: (text: string) => string): void {
  writeTogether(folder, reportsOf(run, clean));
}

/** Makes the folder before a run that takes minutes. Throws CannotRun where it cannot be written to. */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw cannotWrite(folder, cause);
  }
}

/**
 * Writes files, by name, into a folder, which is made where there is none. Each is written beside its place first and moved
 * there when all are whole, in their order, so that no reader finds half a report: the one that others read comes last.
 * Throws CannotRun, naming folder and cause, when a file cannot be written.
 */
export function writeTogether(folder: string, texts: ReadonlyMap<string, string>): void {
  const pending = [...texts].map(([name, text]) => ({
    text,
    temporary: join(folder, `.${name}.${process.pid}.tmp`),
    final: join(folder, name),
  }));
  try {
    mkdirSync(folder, { recursive: true });
    for (const { temporary, text } of pending) {
      writeFileSync(temporary, text);
    }
    for (const { temporary, final } of pending) {
      renameSync(temporary, final);
    }
  } catch (cause) {
    for (const { temporary } of pending) {
      discard(temporary);
    }
    throw cannotWrite(folder, cause);
  }
}

/** Best effort: the failure that is reported is the one that came first. */
function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    /* where the folder cannot be reached there is nothing to remove */
  }
}

/** The one line for reports that cannot be written. */
function cannotWrite(folder: string, cause: unknown): CannotRun {
  const why = cause instanceof Error ? cause.message : String(cause);
  const error = new CannotRun(
    `Cannot write the reports to ${resolve(folder)}: ${why}; set REPORTS_DIR to a folder that can be written`,
  );
  error.cause = cause;
  return error;
}
