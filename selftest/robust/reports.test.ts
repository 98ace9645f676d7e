import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeReports } from '../../reports/write.ts';
import type { Run } from '../../results/verdict.ts';
import { newFolder } from '../new-folder.ts';
import { run } from '../unit/reports/arbitrary.ts';
import { expectAgreement } from '../unit/reports/expect-agreement.ts';
import { samples } from '../unit/reports/sample-runs.ts';

test('console, JSON, JUnit, HTML, summary and exit status agree on any run', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(run, (one) => {
      expectAgreement(one);
    }),
    { numRuns: 60 },
  );
});

/** The interface's own checker, which is beside the repository on some machines and is used there. */
const checker = fileURLToPath(new URL('../../../shared/check/report.mjs', import.meta.url));

if (existsSync(checker)) {
  describe('the checker of the report interface finds nothing', () => {
    const folder = newFolder();

    function complaints(one: Run): string {
      writeReports(one, folder);
      const { stdout, stderr } = spawnSync(process.execPath, [checker, folder, '--exit', String(one.exitCode)], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 20_000,
      });
      return stdout + stderr;
    }

    test.each(Object.entries(samples))('on the run %s', (_name, one) => {
      expect(complaints(one)).toMatch(/keeps to the interface\n$/);
    });

    test('on any run', { timeout: 120_000 }, () => {
      fc.assert(
        fc.property(run, (one) => {
          expect(complaints(one)).toMatch(/keeps to the interface\n$/);
        }),
        { numRuns: 25 },
      );
    });
  });
}
