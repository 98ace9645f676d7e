import type { Api } from '../../contract/clause.ts';
import { machine, putSection, table } from '../page.ts';
import { baselineOf, baselineRuns, median, newsIn, type Row, type Summary, summarise } from './compare.ts';
import { type Measured, readMeasured, subjects, tools } from './measure.ts';
import { sampleSeed } from './sample.ts';
import { clockSpeed } from './target.ts';
import { apis, mostMs, type Tool } from './tool.ts';

/** A tool with what was measured of it. */
interface Known {
  readonly tool: Tool;
  readonly measured: Measured;
  readonly by: Readonly<Record<Api, Summary>>;
}

const titles: Readonly<Record<Api, string>> = { developer: 'Developer API', workspace: 'Workspace API' };
const rowsOf = ({ rows }: Measured, api: Api): Row[] => rows.filter((row) => row.api === api);
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

/** How busy the machine was with other work: more than its cores, and wall times say little. */
const loadOf = ({ rows }: Measured): string =>
  `the machine's load average was ${median(rows.map(({ load }) => load)).toFixed(1)}`;

/** What each tool shows of each fault or choice, as its number of new failures. */
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
  const head = kind === 'fault' ? ['Chapter', 'Fault', 'What it does'] : ['Choice', 'What it decides'];
  return table([...head, ...all.map(({ tool }) => tool.name)], rows);
}

function foundByOthersAlone(all: readonly Known[]): string {
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
    ? 'No fault of the sample is caught by another tool and not by this suite.'
    : `Caught by another tool and not by this suite:\n\n${lines.join('\n')}`;
}

const method = `Each tool is what a user would pick to hold a deployment against a document: it gets the OpenAPI 3.1 documents of
\`docs/openapi/\` and the configuration that its own guide advises. Every run has a fresh reference deployment
(\`npm run reference -- --fault ID --clock-speed ${clockSpeed}\`), to which the tool is sent through a tunnel that counts requests.

- **Sample**: faults drawn by a seed (${sampleSeed}) from all that the reference knows, one of every chapter and the rest by the
  chapters' sizes; choices, which are correct deployments that decide otherwise what the documents leave open, half of each API.
- **Caught** means that a run shows a failure, or an exit status other than 0, that none of ${baselineRuns} runs against the plain
  reference showed. Whether the failure names the cause is not asked, of no tool. A **false alarm** is the same against a choice. What a tool
  says of the plain reference is counted by itself: its user would have to look through it once and set it aside.
- **A further plain run** shows how much of what is new is chance.
- **Limit windows pass ${clockSpeed} times as fast** as real ones for all; a tool that can keep to a rate is told one within them. At
  real speed each request counts against somebody's limit, which is why requests are counted. A tool is ended after ${mostMs / 1000} s.
- **Out of their purpose**: webhook signatures, limit windows and effects of writes are in the sample by their chapters' share,
  although none of the others sets out to judge them. The other way round, no fault of the reference stands for what a fuzzer
  is best at: crashes on input that nobody thought of.
- Faults of the daily limit need \`npm run load -- per-day\`; no command compared here makes that many calls.`;

/** Writes the comparison into docs/bench.md, from what was measured last. */
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
      '## Beside other tools',
      `\`npm run bench\`, on ${machine()}. Ratios are to this suite.`,
      overview(all),
      ...missing,
      foundByOthersAlone(all),
      '### How it is measured',
      method,
      '### Each tool',
      ...all.map(chapterOf),
      '### Each fault',
      'The number of failures that no plain run shows; `·` is none.',
      grid(all, 'fault'),
      '### Each choice',
      'A correct deployment: anything but `·` is a false alarm.',
      grid(all, 'choice'),
    ].join('\n\n'),
  );
}
