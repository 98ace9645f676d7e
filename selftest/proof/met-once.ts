import { choicesIn } from '../../fixtures/reference/vary.ts';
import { metOnDeveloper } from './met-once-developer.ts';
import { metOnWorkspace } from './met-once-workspace.ts';

/**
 * Choices that were once judged wrongly together, drawn at random and reduced to those that matter. They are proven
 * since then.
 */
const met = { developer: metOnDeveloper, workspace: metOnWorkspace };

/** Each of them as a correct deployment. */
export const metOnce = (['developer', 'workspace'] as const).flatMap((api) =>
  met[api].map((line) => ({ api, name: line.split(/\s+/).join(' '), chosen: choicesIn(line) })),
);
