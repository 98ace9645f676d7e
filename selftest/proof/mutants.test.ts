import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRunner } from '../../tools/mutants/runner.ts';
import { scoreOf, scoreText } from '../../tools/mutants/score.ts';
import { mutatedTree } from '../../tools/mutants/tree.ts';
import { trials } from '../../tools/mutants/trials.ts';

test('mutants of one small file: most are killed, and the report counts those that are left out', async () => {
  const tree = await mutatedTree(['suites/developer/calls/refused-bodies.ts']);
  const runner = createRunner(tree);
  try {
    const own = trials().filter(({ name }) =>
      /^(plain developer\.content|fault content-generate-validation)/.test(name),
    );
    const score = await scoreOf(tree, own, [runner], { say: () => {} });
    expect(score.killed).toBeGreaterThan(10);
    expect(score.killed + score.survivors.length + score.leftOut).toBe(tree.mutants.length);
    expect(scoreText(score)).toMatch(
      /^\d+(\.\d)? % of \d+ mutants killed \(\d+\); \d+ survive\.\n\d+ more were left out: /,
    );
  } finally {
    await runner.end();
    rmSync(tree.folder, { recursive: true });
  }
});
