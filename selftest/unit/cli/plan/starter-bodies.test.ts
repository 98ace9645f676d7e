import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeStarter } from '../../../../cli/plan/starter-bodies.ts';
import { jsonReport } from '../../../../reports/json.ts';
import { parseBodies } from '../../../../settings/bodies-file.ts';
import { bodyRefused } from '../../../../suites/records/bodies.ts';
import { newFolder } from '../../../new-folder.ts';
import { resultsOf, runOf } from '../../reports/sample.ts';
import { answerWith } from '../../test-session.ts';

const folder = newFolder();
const file = join(folder, 'bodies.json');
const read = (): unknown => JSON.parse(readFileSync(file, 'utf8'));

const recipe = { template: { name: 'Desk {{run}}' }, wrapper: 'agent', isUsers: false };
const { findings } = bodyRefused('POST /v1/agents', await answerWith(400), recipe);
const results = resultsOf({ 'workspace.agents.create': { verdict: 'inconclusive', findings } });

test('the bodies that the last run left undecided are written, and can be read as BODIES', () => {
  writeFileSync(join(folder, 'conformance.json'), jsonReport(runOf({ results })));
  expect(writeStarter(file, folder)).toContain('POST /v1/agents');
  expect(parseBodies(read()).bodies).toEqual({ 'POST /v1/agents': { agent: { name: 'Desk {{run}}' } } });
});

test('what the file has already stays', () => {
  const bodies = { 'POST /v1/agents': { name: 'mine' }, shapes: { agents: { id: '/uid' } } };
  writeFileSync(file, JSON.stringify(bodies));
  expect(writeStarter(file, folder)).toContain('left no body undecided that is not in it');
  expect(read()).toEqual({ $schema: expect.stringContaining('bodies.schema.json'), ...bodies });
});

test('without a run there is nothing to write', () => {
  expect(() => writeStarter(file, join(folder, 'none'))).toThrow(/^Cannot read the last run in .*npm test/);
});
