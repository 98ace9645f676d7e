import type { Plan } from '../../cli/plan/plan.ts';
import { rehearse } from '../../cli/plan/rehearse.ts';
import { clauses } from '../../contract/clauses.ts';
import { createReference } from '../../fixtures/reference/deployment.ts';
import { parseSettings } from '../../settings/settings.ts';

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
export const unlockRows = async (): Promise<string[][]> => [
  ...(await rows('developer', developer)),
  ...(await rows('workspace', workspace)),
];
