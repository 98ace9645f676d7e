import { cleanScript } from '../common/clean-script.ts';
import { cleanJson } from '../common/redact.ts';
import type { Run } from '../results/verdict.ts';
import { badgeReport } from './badge.ts';
import type { ReportFile } from './files.ts';
import { deliveriesHar, exchangesHar, type Piece } from './har.ts';
import { htmlReport } from './html/page.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { profileReport } from './profile.ts';
import { repeatScript } from './repeat.ts';
import { piecesOf, type Text, writeTogether } from './write-files.ts';

/** In the order of writing: other programs wait for conformance.json. */
const writers: Readonly<Record<ReportFile, (run: Run) => Text<Piece>>> = {
  'exchanges.har': exchangesHar,
  'deliveries.har': deliveriesHar,
  'profile.json': profileReport,
  'badge.json': badgeReport,
  'repeat.sh': repeatScript,
  'junit.xml': junitReport,
  'summary.md': markdownReport,
  'conformance.html': htmlReport,
  'conformance.json': jsonReport,
};

/**
 * The report files of a run by name, conformance.json last, each made when it is asked for: all at once would take as
 * much memory again as the run. Evidence was redacted when it was recorded; `clean` is applied to every text once more,
 * in case a secret got past that.
 */
export function* eachReport(run: Run, clean: (text: string) => string): Generator<readonly [string, Iterable<string>]> {
  for (const [name, write] of Object.entries(writers)) {
    const text = write(run);
    if (name.endsWith('.json')) {
      yield [name, [cleanedJson(text, clean)]];
    } else if (typeof text === 'string' && name.endsWith('.sh')) {
      yield [name, [cleanScript(text, clean)]];
    } else {
      yield [name, cleaned(text, clean)];
    }
  }
}

/**
 * The pieces of a file as clean text. The texts of JSON are cleaned one by one: most are repeated, and so are cleaned
 * only once.
 */
function* cleaned(text: Text<Piece>, clean: (text: string) => string): Generator<string> {
  for (const piece of piecesOf(text)) {
    yield typeof piece === 'string' ? cleanDocument(piece, clean) : jsonText(cleanJson(piece, clean), 1);
  }
}

/**
 * The text of a document, cleaned between the quotes and brackets that hold it together: beyond these, what stands next
 * to a text belongs to the document, such as the name of the next attribute.
 */
const cleanDocument = (text: string, clean: (text: string) => string): string =>
  text
    .split(/(["<>])/)
    .map((part, index) => (index % 2 === 0 ? clean(part) : part))
    .join('');

/** A JSON file, cleaned value by value: a list of numbers may be a secret's bytes, and would be no JSON without some. */
const cleanedJson = (text: Text<Piece>, clean: (text: string) => string): string =>
  `${jsonText(cleanJson(JSON.parse([...piecesOf(text)].join('')), clean), 2)}\n`;

/** JSON in which characters that act on a terminal or deceive a reader are escaped. */
const jsonText = (value: unknown, indent: number): string =>
  JSON.stringify(value, null, indent).replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/** Writes all reports into a folder. Throws CannotRun, which names folder and cause, if a file cannot be written. */
export function writeReports(run: Run, folder: string, clean: (text: string) => string): void {
  writeTogether(folder, eachReport(run, clean));
}
