import { SaxesParser } from 'saxes';

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
