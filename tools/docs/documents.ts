import { readFileSync } from 'node:fs';
import { type Plan, rehearse } from '../../cli/plan/rehearse.ts';
import { chapterOf, clauses } from '../../contract/clauses.ts';
import { settings } from '../../contract/settings.ts';
import { createReference, faults } from '../../fixtures/reference/deployment.ts';
import { reportFiles } from '../../reports/write.ts';
import { inStyle } from '../../selftest/proof/jobs.ts';
import { singleChoices } from '../../selftest/proof/packs.ts';
import { parseSettings } from '../../settings/settings.ts';

/** A page with its section `name` replaced. */
function withSection(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  return `${page.slice(0, from)}${begin}\n${text.trim()}\n${page.slice(to)}`;
}

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** A Markdown table. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

/** Every clause, by chapter. */
const clauseTables = (): string =>
  [...Map.groupBy(clauses, ({ id }) => chapterOf(id))]
    .map(([chapter, own]) => {
      const rows = own.map(({ id, level, title, source, quote, everyResponse }) => [
        `\`${id}\``,
        level,
        title + (everyResponse ? ' *(every response)*' : ''),
        `${source}: ${quote.replaceAll('<', '&lt;')}`,
      ]);
      return `## ${chapter}\n\n${table(['clause', 'level', 'requirement', 'source'], rows)}`;
    })
    .join('\n\n');

/** Every setting, in the order of the interface. */
const settingTable = (): string =>
  table(
    ['setting', 'meaning', 'default'],
    settings.map(({ name, meaning, values, default: standard }) => [
      `\`${name}\``,
      values ? `${meaning} (${values.join(', ')})` : meaning,
      standard === null ? 'none' : `\`${standard}\``,
    ]),
  );

/** Every report file of a run. */
const reportTable = (): string =>
  table(
    ['file', 'for'],
    Object.entries(reportFiles).map(([name, [purpose]]) => [`\`${name}\``, purpose]),
  );

/** The content of .env.example: every setting with its meaning, its values and its default, commented out. */
function envExample(): string {
  const entries = settings.map(
    ({ name, meaning, values, default: value }) =>
      `# ${meaning}${values ? ` (${values.join(', ')})` : ''}\n# ${name}=${value ?? ''}\n`,
  );
  return [
    '# Copy this file to .env and fill in what a run needs. The environment takes precedence over it. Without BASE_URL and',
    '# WORKSPACE_API_URL, npm test judges the reference deployment that comes with the suite.',
    '',
    entries.join('\n'),
  ].join('\n');
}

const withTable = (path: string, name: string, text: string): string =>
  withSection(readFileSync(path, 'utf8'), name, text);

/** The pages that need no run, by path: their tables come from the contract and the list of reports. */
export const pages = (): Readonly<Record<string, string>> => ({
  'docs/clauses.md': withTable('docs/clauses.md', 'clauses', clauseTables()),
  'docs/ci.md': withTable('docs/ci.md', 'reports', reportTable()),
  'docs/settings.md': withTable('docs/settings.md', 'settings', settingTable()),
  '.env.example': envExample(),
});

/** The extent of the proof, as lines of prose. The selftest enforces these statements, so no run is needed to write them. */
function figureLines(): string[] {
  const binding = clauses.filter(({ level }) => level !== 'gap');
  const counts = binding
    .map(({ id }) => faults.filter(({ fails }) => fails.includes(id)).length)
    .sort((one, other) => one - other);
  return [
    `${faults.length} faults: each fails the clauses that it breaks and no others.`,
    `${binding.length} must and should clauses: each is failed by at least ${counts[0] ?? 0} faults, half of them by ${counts[counts.length >> 1] ?? 0} or more.`,
    `${singleChoices.length} choices of correct deployments, ${inStyle.length} deployments in the style of products and frameworks, and random combinations: no false alarm.`,
    '`npm run selftest` judges each fault alone on its own clauses, and puts up to twelve choices, and some of the faults, into one deployment for a whole run; `npm run nightly` judges each alone, whole.',
  ];
}

/** The README with current tables and the current number of clauses. */
export async function readme(): Promise<string> {
  const text = readFileSync('README.md', 'utf8').replace(/\d+(?= requirements)/, String(clauses.length));
  const unlocked = table(['set', 'clauses decided', 'takes about'], await unlockRows());
  const proof = figureLines().map((line) => `- ${line}`);
  return withSection(withSection(text, 'proof', proof.join('\n')), 'unlocked', unlocked);
}

/** Settings in the order in which users add them; each step keeps those before it. */
const developer = ['BASE_URL, SANDBOX_API_KEY', 'LIVE_API_KEY', 'WRITES=all'];
const workspace = [
  'WORKSPACE_API_URL, WORKSPACE_API_KEY',
  'WRITES=all',
  'WEBHOOK_PUBLIC_URL',
  'WORKSPACE_SECOND_API_KEY, WORKSPACE_LIMITED_API_KEY, WORKSPACE_REVOKED_API_KEY, WORKSPACE_OTHER_API_KEY',
  'EXHAUST=all',
];

const urls: Readonly<Record<string, string>> = {
  BASE_URL: 'https://api.example.com',
  WORKSPACE_API_URL: 'https://workspace.example.com',
  WEBHOOK_PUBLIC_URL: 'https://tunnel.example.com',
};

/**
 * For each step, how many clauses a run decides on a conformant deployment, and how long it takes, according to `npm
 * run plan`.
 */
async function rows(api: string, steps: readonly string[]): Promise<string[][]> {
  const known = createReference().settings;
  const all = clauses.filter(({ id }) => id.startsWith(`${api}.`)).length;
  const given: Record<string, string> = {};
  const made: string[][] = [];
  for (const [index, step] of steps.entries()) {
    for (const name of step.split(', ')) {
      const [setting = '', value = urls[name] ?? known[name]] = name.split('=');
      if (value !== undefined) {
        given[setting] = value;
      }
    }
    const plan = await rehearse({ patterns: [], filters: [] }, parseSettings(given));
    const names = step.split(', ').map((name) => `\`${name}\``);
    made.push([`${index === 0 ? '' : '+ '}${names.join(', ')}`, `${decidedBy(plan)} of ${all}`, minutes(plan)]);
  }
  return made;
}

const decidedBy = ({ apis }: Plan): number => apis.reduce((sum, { decided }) => sum + decided, 0);

/** Rounded to minutes, since a rehearsal does not include the time of answers. */
const minutes = ({ durationMs }: Plan): string =>
  durationMs < 15_000 ? 'seconds' : `${Math.max(1, Math.round(durationMs / 60_000))} min`;

/** How many clauses each set of settings decides, and how long that takes with the documented limits. */
const unlockRows = async (): Promise<string[][]> => [
  ...(await rows('developer', developer)),
  ...(await rows('workspace', workspace)),
];
