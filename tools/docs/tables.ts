import { chapterOf, clauses } from '../../contract/clauses.ts';
import { settings } from '../../contract/settings.ts';
import { reportFiles } from '../../reports/files.ts';
import { table } from '../page.ts';

/** Every clause, by chapter. */
export const clauseTables = (): string =>
  [...Map.groupBy(clauses, ({ id }) => chapterOf(id))]
    .map(([chapter, own]) =>
      [
        `## ${chapter}`,
        '',
        table(
          ['clause', 'level', 'requirement', 'source'],
          own.map(({ id, level, title, source, quote, everyResponse }) => [
            `\`${id}\``,
            level,
            title + (everyResponse ? ' *(every response)*' : ''),
            `${source}: ${quote.replaceAll('<', '&lt;')}`,
          ]),
        ),
      ].join('\n'),
    )
    .join('\n\n');

/** Every setting, in the order of the interface. */
export const settingTable = (): string =>
  table(
    ['setting', 'meaning', 'default'],
    settings.map(({ name, meaning, values, default: standard }) => [
      `\`${name}\``,
      values ? `${meaning} (${values.join(', ')})` : meaning,
      standard === null ? 'none' : `\`${standard}\``,
    ]),
  );

/** Every report file of a run. */
export const reportTable = (): string =>
  table(
    ['file', 'for'],
    Object.entries(reportFiles).map(([name, purpose]) => [`\`${name}\``, purpose]),
  );
