import { SaxesParser } from 'saxes';
import { readingOrder } from '../../../reports/words.ts';
import { type Run, type Word, wordOf } from '../../../results/verdict.ts';

/** The information that a reader gets from one report. */
export interface Reading {
  /** Null if the report does not say. */
  readonly exitCode: number | null;
  readonly conformant: boolean | null;
  /** The numbers of clauses by verdict, as the report names it. */
  readonly totals: Readonly<Partial<Record<Word, number>>>;
}

/** The information that every report must contain. */
export const truthOf = ({
  exitCode,
  conformant,
  clauses,
}: Pick<Run, 'exitCode' | 'conformant' | 'clauses'>): Reading => ({
  exitCode,
  conformant,
  totals: totalsBy(
    (word) => clauses.filter((clause) => clause.outside === undefined && wordOf(clause) === word).length,
  ),
});

const verdicts: Readonly<Record<string, boolean | null>> = {
  conformant: true,
  'not conformant': false,
  unknown: null,
};

const wordsToVerdict = (words: string | undefined): boolean | null | undefined => verdicts[words?.toLowerCase() ?? ''];

function readingOf(exitCode: string | undefined, words: string | undefined, totals: Reading['totals']): Reading {
  const conformant = wordsToVerdict(words);
  if (exitCode === undefined || conformant === undefined) {
    throw new Error(`Cannot read a report: exit ${exitCode}, verdict ${words}`);
  }
  return { exitCode: Number(exitCode), conformant, totals };
}

function totalsBy(count: (word: Word) => number): Reading['totals'] {
  return Object.fromEntries(readingOrder.map((word) => [word, count(word)]));
}

export const readJson = (text: string): Reading => truthOf(JSON.parse(text) as Run);

export function readHtml(text: string): Reading {
  const [, conformant, exitCode] = /^<html lang="en" data-conformant="(\w+)" data-exit="(\d)">$/m.exec(text) ?? [];
  const [, headline] = /<h1>([^<]*?)\s*</.exec(text) ?? [];
  const [, share = ''] = /<div class="share">([\s\S]*?)<\/div>/.exec(text) ?? [];
  const totals = totalsBy((word) => Number(new RegExp(`<strong>(\\d+)</strong> ${word}<`).exec(share)?.[1] ?? 0));
  const reading = readingOf(exitCode, headline, totals);
  if (String(reading.conformant) !== conformant) {
    throw new Error('Cannot read the page: its heading and its data differ');
  }
  return reading;
}

const totalsIn = (line: string): Reading['totals'] =>
  totalsBy((word) => Number(new RegExp(`\\b(\\d+) ${word}\\b`).exec(line)?.[1] ?? 0));

export function readMarkdown(text: string): Reading {
  const [, headline] = /^# \S+ (.*?)(?: \([a-z0-9, ]+\))?$/m.exec(text) ?? [];
  const [, exitCode] = /^\*\*Exit status (\d):\*\*/m.exec(text) ?? [];
  return readingOf(exitCode, headline, totalsIn(/^\*\*Totals:\*\* (.*)$/m.exec(text)?.[1] ?? ''));
}

export function readConsole(text: string): Reading {
  const lines = text.trimEnd().split('\n');
  const [, headline, exitCode] = /^([A-Z ]+)(?:, PARTIAL)? \(exit status (\d)\): ./.exec(lines.at(-1) ?? '') ?? [];
  return readingOf(exitCode, headline, totalsIn(lines.at(-2) ?? ''));
}

/** The information that a CI system gets from junit.xml. */
export interface JunitReading {
  readonly cases: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

/** Counts the elements. Throws if the text is not well-formed, or if the counts in the attributes differ. */
export function readJunit(text: string): JunitReading {
  const counts: Record<string, number> = {};
  let written: readonly (string | undefined)[] = [];
  let skippedInSuites = 0;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    counts[name] = (counts[name] ?? 0) + 1;
    if (name === 'testsuites') {
      written = [attributes.tests, attributes.failures, attributes.errors];
    }
    if (name === 'testsuite') {
      skippedInSuites += Number(attributes.skipped);
    }
  });
  parser.write(text).close();
  const { testcase: cases = 0, failure: failures = 0, error: errors = 0, skipped = 0 } = counts;
  const reading = { cases, failures, errors, skipped };
  const counted = [...written, skippedInSuites].join();
  if (counted !== Object.values(reading).join()) {
    throw new Error(`Cannot read junit.xml: it counts ${counted} and holds ${Object.values(reading).join()}`);
  }
  return reading;
}
