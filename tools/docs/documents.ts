import { readFileSync } from 'node:fs';
import { clauses } from '../../contract/clauses.ts';
import { figureLines } from '../matrix/figures.ts';
import { envExample } from './env-example.ts';
import { clauseTables, settingTable } from './tables.ts';
import { unlockTable } from './unlocked.ts';

const note = '<!-- Written by npm run docs. -->';

/** The text with what stands between the markers of a name replaced. Throws where a marker is missing. */
function withPart(text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) {
    throw new Error(`Cannot place a table: ${begin} … ${end} does not stand in the text`);
  }
  return `${text.slice(0, from + begin.length)}\n${content}\n${text.slice(to)}`;
}

const proof = (): string =>
  figureLines()
    .map((line) => `- ${line}`)
    .join('\n');

/** The README with its tables, and the number of clauses, made anew. */
async function readme(): Promise<string> {
  const text = readFileSync('README.md', 'utf8').replace(/\d+(?= requirements)/, String(clauses.length));
  return withPart(withPart(text, 'proof', proof()), 'unlocked', await unlockTable());
}

const clausesPage = (): string => `${note}

# Clauses

Every requirement that the two documents place on a deployment, under an id that never changes. A **must** is stated by a
document, and fails the run; a **should** follows from one on a fair reading, and warns (with \`STRICT=1\` it fails the run); a
**gap** is what the documents leave open: what the deployment does is recorded, and never fails. *Every response*: judged on all
exchanges of the run with that API, refusals included.

${clauseTables()}
`;

const settingsPage = (): string => `${note}

# Settings

Environment variables, or lines of a \`.env\` file in the folder from which the command is started (\`.env.example\` lists them);
the environment wins. A name that is nearly a setting's, a URL that is set but empty, a key without its URL: each ends the run
with 2, and the line says what to change.

${settingTable()}

## BODIES: your own request bodies

The documents do not show the bodies of some calls. The suite guesses, learns from what a refusal says, and leaves the clause
undecided where no guess is taken. A body of yours is believed first:

\`\`\`json
{
  "POST /v1/agents": {"name": "Agent {{run}}", "voice": "anna"},
  "POST /v1/bookings": {"agent": "{{agent_id}}", "starts_at": "{{slot_start}}", "ends_at": "{{slot_start:+30m}}"},
  "PATCH /v1/leads/:id": {"note": "changed by {{run}}"}
}
\`\`\`

| placeholder | stands for |
| --- | --- |
| \`{{run}}\` | the run's tag and a number: words that no other record holds; put them into every body |
| \`{{webhook_url}}\`, \`{{webhook_secret}}\` | what a registration needs |
| \`{{agent_id}}\`, \`{{lead_id}}\` | records that the run made |
| \`{{slot_start}}\`, \`{{slot_end}}\` | a time that no call of the run has used, in ISO 8601; \`{{slot_start:+90m}}\` moves it |
| \`{{email}}\`, \`{{phone}}\` | ones never used before |

## WAIVERS: known failures

\`\`\`json
[{"clause": "developer.auth.query", "reason": "API-12: the gateway strips the query", "expires": "2027-01-31"}]
\`\`\`

A waived clause still runs; its failure does not fail the run. A waiver whose clause passes, that names no clause, or that has
expired fails it: the list never outlives its reasons.

## PROFILE: what an accepted deployment did

\`profile.json\` of an accepted run holds everything that was observed where the documents are silent. Named in \`PROFILE\`, it is
compared with what is observed now; changes are told as drift, apart from the verdicts.
`;

/** Every file that \`npm run docs\` writes, by its path. */
export const documents = async (): Promise<Readonly<Record<string, string>>> => ({
  'README.md': await readme(),
  'docs/clauses.md': clausesPage(),
  'docs/settings.md': settingsPage(),
  '.env.example': envExample(),
});
