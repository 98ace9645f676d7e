import { convert } from 'xmlbuilder2';
import { type Verdict, verdicts } from '../../../results/verdict.ts';

/** What a reader of one report alone takes from it. */
export interface Reading {
  /** null where the report does not say. */
  readonly exitCode: number | null;
  readonly conformant: boolean | null;
  readonly totals: Readonly<Partial<Record<Verdict, number>>>;
}

const told: Readonly<Record<string, boolean | null>> = {
  conformant: true,
  'not conformant': false,
  'cannot be told': null,
};

const wordsToVerdict = (words: string | undefined): boolean | null | undefined => told[words?.toLowerCase() ?? ''];

function readingOf(exitCode: string | undefined, words: string | undefined, totals: Reading['totals']): Reading {
  const conformant = wordsToVerdict(words);
  if (exitCode === undefined || conformant === undefined) {
    throw new Error(`Cannot read a report: exit ${exitCode}, verdict ${words}`);
  }
  return { exitCode: Number(exitCode), conformant, totals };
}

const totalsBy = (count: (verdict: Verdict) => number): Reading['totals'] =>
  Object.fromEntries(verdicts.map((verdict) => [verdict, count(verdict)]));

export function readJson(text: string): Reading {
  const { exitCode, conformant, totals } = JSON.parse(text) as Reading;
  return { exitCode, conformant, totals };
}

export function readHtml(text: string): Reading {
  const [, conformant, exitCode] = /^<html lang="en" data-conformant="(\w+)" data-exit="(\d)">$/m.exec(text) ?? [];
  const [, headline] = /<h1>([^<]*)<\/h1>/.exec(text) ?? [];
  const shown = totalsBy((verdict) => [...text.matchAll(new RegExp(` data-verdict="${verdict}"`, 'g'))].length);
  const reading = readingOf(exitCode, headline, shown);
  if (String(reading.conformant) !== conformant) {
    throw new Error('Cannot read the page: its heading and its data differ');
  }
  return reading;
}

export function readMarkdown(text: string): Reading {
  const [, headline] = /^# \S+ (.*)$/m.exec(text) ?? [];
  const [, exitCode] = /^\*\*Exit status (\d):\*\*/m.exec(text) ?? [];
  return readingOf(
    exitCode,
    headline,
    totalsBy((verdict) => Number(new RegExp(`^\\| ${verdict} \\| (\\d+) \\|`, 'm').exec(text)?.[1])),
  );
}

export function readConsole(text: string): Reading {
  const lines = text.trimEnd().split('\n');
  const [, headline, exitCode] = /^([A-Z ]+) \(exit status (\d)\): ./.exec(lines.at(-1) ?? '') ?? [];
  const totals = lines.at(-2) ?? '';
  return readingOf(
    exitCode,
    headline,
    totalsBy((verdict) => Number(new RegExp(`\\b(\\d+) ${verdict}\\b`).exec(totals)?.[1] ?? 0)),
  );
}

/** What a CI system takes from junit.xml. */
export interface JunitReading {
  readonly cases: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

interface Node {
  readonly [name: string]: unknown;
}
const children = (node: Node, name: string): readonly Node[] => {
  const found = node[name] ?? [];
  return (Array.isArray(found) ? found : [found]) as readonly Node[];
};

/** Counts the elements themselves, and throws where the counts in the attributes differ from them. */
export function readJunit(text: string): JunitReading {
  const { testsuites } = convert(text, { format: 'object' }) as { testsuites: Node };
  const cases = children(testsuites, 'testsuite').flatMap((suite) => children(suite, 'testcase'));
  const count = (name: string): number => cases.filter((one) => name in one).length;
  const reading = {
    cases: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  };
  const written = [testsuites['@tests'], testsuites['@failures'], testsuites['@errors'], testsuites['@skipped']].map(
    Number,
  );
  if (written.join() !== Object.values(reading).join()) {
    throw new Error(`Cannot read junit.xml: it counts ${written.join()} and holds ${Object.values(reading).join()}`);
  }
  return reading;
}
