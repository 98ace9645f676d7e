import type { Deployment } from './choice-row.ts';
import { choicesIn } from './choices-text.ts';
import { metOnDeveloper } from './met-once-developer.ts';
import { metOnWorkspace } from './met-once-workspace.ts';

/**
 * Choices that were once judged wrongly together, drawn at random and reduced to those that matter. They are proven
 * since then. A word in capitals, `WRITES=sandbox`, is a setting of the run.
 */
const met = { developer: metOnDeveloper, workspace: metOnWorkspace };

const isSetting = ([name]: readonly [string, string]): boolean => name === name.toUpperCase();

/** Each of them as a correct deployment. */
export const metOnce = (['developer', 'workspace'] as const).flatMap((api) =>
  met[api].map((line): Deployment => {
    const words = Object.entries(choicesIn(line));
    const settings = Object.fromEntries(words.filter(isSetting));
    const chosen = Object.fromEntries(words.filter((word) => !isSetting(word)));
    const name = line.split(/\s+/).join(' ');
    return { api, name, chosen, ...(Object.keys(settings).length === 0 ? {} : { settings }) };
  }),
);
