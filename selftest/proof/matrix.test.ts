import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { choices, faults } from '../../fixtures/reference/deployment.ts';
import { matrixPage } from '../../tools/matrix/matrix-html.ts';
import { matrixMarkdown } from '../../tools/matrix/matrix-markdown.ts';
import { matrixFolder, readMatrix } from './matrix-file.ts';

// What its rows say is held by prove.test.ts, which makes each of them anew.
const matrix = readMatrix();
const committed = (name: string): string => readFileSync(join(matrixFolder, name), 'utf8');

describe('the committed matrix', () => {
  test('has a row for each fault and each choice value, and no other', () => {
    expect(matrix.faults.map(({ id }) => id)).toEqual(faults.map(({ id }) => id));
    const values = choices.flatMap(({ name, values: all }) => Object.keys(all).map((value) => `${name}=${value}`));
    expect(matrix.choices.map(({ chosen }) => chosen).sort()).toEqual(values.sort());
  });

  test('says that every fault is caught with the right blame, every clause killed, and nothing else alarmed', () => {
    const { figures, clauses } = matrix;
    expect(figures).toMatchObject({ caught: faults.length, killed: clauses.length, alarms: 0 });
    expect(clauses.filter(({ killedBy }) => killedBy.length === 0)).toEqual([]);
  });

  test('is as large as it has to be', () => {
    expect(faults.length).toBeGreaterThanOrEqual(200);
    expect(choices.length).toBeGreaterThanOrEqual(30);
    expect(matrix.figures.values).toBeGreaterThanOrEqual(80);
    expect(matrix.figures.combinations).toBeGreaterThanOrEqual(200);
  });

  test.each([
    ['matrix.md', matrixMarkdown],
    ['matrix.html', matrixPage],
  ] as const)('%s shows what matrix.json says', (name, write) => {
    expect(committed(name) === write(matrix), `${name} is stale: npm run matrix`).toBe(true);
  });
});
