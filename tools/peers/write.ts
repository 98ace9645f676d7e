import type { ApiName } from '../../contract/clause.ts';
import { machine, putSection, table } from '../page.ts';
import { baselineOf, baselineRuns, median, newsIn, type Row, type Summary, summarise } from './compare.ts';
import { type Measured, readMeasured, subjects, tools } from './measure.ts';
import { sampleSeed } from './sample.ts';
import { clockSpeed } from './target.ts';
import { apis, mostMs, type Tool } from './tool.ts';

/** A tool and its measurements. */
interface Known {
  readonly tool: Tool;
  readonly measured: Measured;
  readonly by: Readonly<Record<ApiName, Summary>>;
}

const titles: Readonly<Record<ApiName, string>> = { developer: 'Developer API', workspace: 'Workspace API' };
const rowsOf = ({ rows }: Measured, api: ApiName): Row[] => rows.filter((row) => row.api === api);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;
const ratio = (value: number, base: number): string => (base === 0 ? '–' : `${(value / base).toFixed(2)} ×`);

const over = ({ by }: Known, of: (summary: Summary) => number): number => sum(apis.map((api) => of(by[api])));
const caught = (known: Known): number => over(known, (one) => one.caught.length);
const faults = (known: Known): number => over(known, (one) => one.faults);

function overview(all: readonly Known[]): string {
  const base = all[0];
  const rows = all.map((known) => {
    const { tool, by } = known;
    const of = (value: (summary: Summary) => number): string =>
      `${ratio(over(known, value), base === undefined ? 0 : over(base, value))}`;
    return [
      tool.version,
      `${caught(known)} of ${faults(known)} (${percent(caught(known), faults(known))})`,
      `${over(known, (one) => one.alarms.length)} of ${over(known, (one) => one.choices)}`,
      String(over(known, (one) => one.onPlain)),
      apis.map((api) => seconds(by[api].medianMs)).join(' + '),
      of((one) => one.medianMs),
      apis.map((api) => by[api].medianRequests).join(' + '),
      of((one) => one.medianRequests),
    ];
  });
  return table(
    [
      'Tool',
      'Faults caught',
      'False alarms on choices',
      'Failures on the plain reference',
      'Wall time, developer + workspace',
      'Ratio',
      'Requests, developer + workspace',
      'Ratio',
    ],
    rows,
  );
}

function chapterOf({ tool, measured, by }: Known): string {
  const rows = apis.map((api) => {
    const one = by[api];
    return [
      titles[api],
      seconds(one.medianMs),
      String(one.medianRequests),
      String(one.onPlain),
      `${one.caught.length} of ${one.faults}`,
      `${one.alarms.length} of ${one.choices}`,
      String(one.varied),
      String(one.endedForTime),
    ];
  });
  const head = [
    'API',
    'Wall time',
    'Requests',
    'Failures on the plain reference',
    'Faults caught',
    'False alarms',
    'New on another plain run',
    'Runs ended for their time',
  ];
  return [
    `#### ${tool.version}`,
    apis
      .map((api) => `\`${tool.command(api)}\``)
      .filter((line, index, lines) => lines.indexOf(line) === index)
      .join('<br>\n'),
    tool.notes.map((note) => `- ${note}`).join('\n'),
    `Measured on ${measured.date}; wall time and requests are medians of ${measured.rows.length} of ${subjects.length} runs; ${loadOf(measured)}.`,
    table(head, rows),
  ].join('\n\n');
}

/** How busy the machine was. If the load is higher than the number of cores, wall times say little. */
const loadOf = ({ rows }: Measured): string =>
  `the machine's load average was ${median(rows.map(({ load }) => load)).toFixed(1)}`;

/** How many new failures each tool shows for each fault or choice. */
function grid(all: readonly Known[], kind: Row['kind']): string {
  const rows = subjects
    .filter((subject) => subject.kind === kind)
    .map(({ api, id, says, chapter }) => {
      const shown = all.map(({ measured }) => {
        const own = rowsOf(measured, api);
        const row = own.find((one) => one.kind === kind && one.id === id);
        if (row === undefined || row.status === null) {
          return row === undefined ? 'not run' : 'ended';
        }
        return String(newsIn(row, baselineOf(own)).length || '·');
      });
      return [...(kind === 'fault' ? [chapter] : []), `\`${id}\``, says, ...shown];
    });
  const head = kind === 'fault' ? ['Chapter', 'Fault', 'What is wrong'] : ['Choice', 'What it decides'];
  return table([...head, ...all.map(({ tool }) => tool.name)], rows);
}

function caughtOnlyByOthers(all: readonly Known[]): string {
  const [base, ...others] = all;
  const own = new Set(apis.flatMap((api) => base?.by[api].caught.map(({ id }) => id) ?? []));
  const names = new Map<string, string[]>();
  for (const { tool, by } of others) {
    for (const { id } of apis.flatMap((api) => by[api].caught).filter((row) => !own.has(row.id))) {
      names.set(id, [...(names.get(id) ?? []), tool.name]);
    }
  }
  const lines = [...names].map(([id, finders]) => `- \`${id}\`, by ${finders.join(', ')}`);
  return lines.length === 0
    ? 'No fault of the sample is caught only by another tool.'
    : `Caught by another tool and not by this suite:\n\n${lines.join('\n')}`;
}

const method = `Each tool is one that a user could choose to compare a deployment with a document. It gets the OpenAPI 3.1 documents of
\`docs/openapi/\` and the configuration that its own guide advises. Every run has a fresh reference deployment
(\`npm run reference -- --fault ID --clock-speed ${clockSpeed}\`), which the tool reaches through a tunnel that counts requests.

- **Sample**: faults drawn by a seed (${sampleSeed}) from all faults of the reference, one of every chapter and the others in
  proportion to the sizes of the chapters; and choices, which are correct deployments that decide differently what the documents
  leave open, half of them for each API.
- **Caught**: a run shows a failure, or an exit status other than 0, that none of ${baselineRuns} runs against the plain reference showed.
  No tool has to name the cause. A **false alarm** is the same with a choice. Failures that a tool reports for the plain reference
  are counted separately: its user would have to review them once and set them aside.
- **New on another plain run** shows how much of what is new is chance.
- **Limit windows pass ${clockSpeed} times as fast** as real ones for all tools; a tool that can keep to a rate is given one within them. At
  real speed each request counts against a limit, which is why requests are counted. A tool is ended after ${mostMs / 1000} s.
- **Out of scope for the others**: webhook signatures, limit windows and effects of writes are in the sample in proportion to their
  chapters, although no other tool sets out to judge them. Conversely, no fault of the reference represents what a fuzzer finds
  best: crashes on unexpected input.
- Faults of the daily limit need \`npm run load -- per-day\`; no command compared here makes that many calls.`;

/** Writes the comparison into docs/bench.md, from the latest measurements. */
export function writePeers(): void {
  const found = tools.map((tool) => ({ tool, measured: readMeasured(tool) }));
  const all = found.flatMap(({ tool, measured }): Known[] =>
    measured === null || measured.trouble !== null
      ? []
      : [
          {
            tool,
            measured,
            by: {
              developer: summarise(rowsOf(measured, 'developer')),
              workspace: summarise(rowsOf(measured, 'workspace')),
            },
          },
        ],
  );
  const missing = found
    .filter(({ tool }) => all.every((known) => known.tool !== tool))
    .map(
      ({ tool, measured }) => `- ${tool.version} was not measured${measured?.trouble ? `: ${measured.trouble}` : ''}.`,
    );
  putSection(
    'bench.md',
    'peers',
    [
      '## Compared with other tools',
      `\`npm run bench\`, on ${machine()}. Ratios are to this suite.`,
      overview(all),
      ...missing,
      caughtOnlyByOthers(all),
      '### How it is measured',
      method,
      '### Each tool',
      ...all.map(chapterOf),
      '### Each fault',
      'The number of failures that no plain run shows; `·` means none.',
      grid(all, 'fault'),
      '### Each choice',
      'A correct deployment: anything but `·` is a false alarm.',
      grid(all, 'choice'),
    ].join('\n\n'),
  );
}
