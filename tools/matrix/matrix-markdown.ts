import type { Matrix } from '../../selftest/proof/matrix-data.ts';

const share = (part: number, of: number): string =>
  of === 0 ? '0 %' : `${(Math.floor((part / of) * 1000) / 10).toFixed(1).replace(/\.0$/, '')} %`;

/** The figures as lines of prose. */
export function figureLines({ figures, clauses }: Matrix): string[] {
  const kills = clauses.map(({ killedBy }) => killedBy.length).sort((a, b) => a - b);
  return [
    `${share(figures.caught, figures.faults)} of ${figures.faults} faults are caught with the right blame (${figures.caught}).`,
    `${share(figures.killed, figures.clauses)} of ${figures.clauses} must and should clauses are turned red by a fault; the least by ${kills[0] ?? 0}, half of them by ${kills[kills.length >> 1] ?? 0} or more.`,
    `${figures.alarms} false alarms in ${figures.values} choice values alone and ${figures.combinations} random combinations (seed ${figures.seed}).`,
  ];
}

const list = (ids: readonly string[]): string =>
  ids.length === 0 ? '' : ids.map((id) => `\`${id.replace(/^(developer|workspace)\./, '')}\``).join(' ');

/** The matrix as Markdown: figures, kills by clause, faults by API. */
export function matrixMarkdown(matrix: Matrix): string {
  const apis = ['developer', 'workspace'] as const;
  return [
    '# Faults against clauses',
    '',
    'Made by `npm run matrix`; the selftest holds it against a new run.',
    '',
    ...figureLines(matrix).map((line) => `- ${line}`),
    '',
    '## Clauses and the faults that turn them red',
    '',
    '| clause | level | faults |',
    '|---|---|---|',
    ...matrix.clauses.map(({ id, level, killedBy }) => `| \`${id}\` | ${level} | ${killedBy.length} |`),
    '',
    ...apis.flatMap((api) => [
      `## Faults of the ${api} API`,
      '',
      '| fault | what was shipped | turns red | may turn red, and did | cannot be decided any more |',
      '|---|---|---|---|---|',
      ...matrix.faults
        .filter((row) => row.api === api)
        .map(
          ({ id, says, reds, also, open }) =>
            `| \`${id}\` | ${says.replaceAll('|', '\\|')} | ${list(reds)} | ${list(also)} | ${open.length > 6 ? `${open.length} clauses` : list(open)} |`,
        ),
      '',
    ]),
  ].join('\n');
}
