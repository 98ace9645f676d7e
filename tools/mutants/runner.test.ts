import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usualVerdicts } from '../../selftest/proof/run-in-process.ts';
import { readExplanations, staleExplanations } from './explanations.ts';
import { mutatedTree, root, type Tree, targets } from './instrument.ts';
import { type Fate, runMutants } from './kill.ts';
import { createHand, type Hand } from './pool.ts';
import { rehearse } from './rehearsal.ts';
import { figuresOf, readReport, rowsOf } from './report.ts';
import { faultTrials, plainTrials, type Trial } from './trial.ts';
import type { WorkerData } from './worker.ts';

const file = 'suites/developer/ads.ts';
const named = (trials: readonly Trial[], ...names: readonly string[]): Trial[] =>
  trials.filter(({ name }) => names.includes(name));

describe('one small file, with its own clauses and one fault', () => {
  let tree: Tree;
  let hand: Hand;
  let fates: readonly Fate[];
  const fate = (original: string, replacement: string): Pick<Fate, 'killed' | 'how' | 'tried'> | undefined => {
    const found = fates.find(
      ({ mutant }) => mutant.original.startsWith(original) && mutant.replacement === replacement,
    );
    return found && { killed: found.killed, how: found.how, tried: found.tried };
  };

  beforeAll(async () => {
    tree = await mutatedTree([file]);
    const data: WorkerData = {
      mutant: null,
      marks: Math.max(...tree.marks.map(({ number }) => number)) + 1,
      usual: { developer: await usualVerdicts('developer'), workspace: new Map() },
    };
    hand = createHand(tree.folder, data);
    const { outcomes } = await hand.do({ mutant: null, trials: [] });
    const plain = await rehearse(
      [hand],
      named(plainTrials(), 'plain developer.ads.keywords', 'plain developer.ads.keywords-limit'),
    );
    const faults = await rehearse(
      [hand],
      named(faultTrials(), 'fault ads-limit-ignored: developer.ads.keywords-limit'),
    );
    const rehearsal = {
      atLoad: outcomes[0]?.hits ?? new Uint32Array(),
      readings: [],
      plain,
      faults,
      others: [],
      choices: [],
      usual: [],
    };
    fates = await runMutants({ tree, data, hands: [hand], rehearsal, excused: () => false }, file);
  });
  afterAll(async () => {
    await hand.end();
    rmSync(tree.folder, { recursive: true });
  });

  test('a check that fails a correct deployment is told by the plain run', () => {
    expect(fate('length <= 1', 'length < 1')).toMatchObject({
      killed: true,
      how: 'plain developer.ads.keywords-limit',
    });
  });

  test('a check that passes a broken deployment is told by its fault', () => {
    expect(fate('length <= 1', 'true')).toMatchObject({
      killed: true,
      how: 'fault ads-limit-ignored: developer.ads.keywords-limit',
    });
  });

  test('a check that breaks is told', () => {
    expect(fate('!accepted(one)', 'accepted(one)')).toMatchObject({ killed: true });
  });

  test('what no verdict hangs on survives all', () => {
    // The one fault that is tried has no lists inside ten keywords.
    expect(fate(String.raw`/\/\d+\//`, String.raw`/\/\d\//`)).toMatchObject({ killed: false });
  });

  test('what no trial passes is not run', () => {
    expect(fate('{\n      tally.leaveOpen', '{}')).toMatchObject({ killed: false, tried: 0 });
  });

  test('most are told, and the report counts them', () => {
    const rows = rowsOf(fates, new Map());
    expect(rows.map((row) => [row.file, row.mutants, row.survivors.length + row.killed])).toEqual([
      [file, tree.mutants.length, tree.mutants.length],
    ]);
    expect(rows[0]?.killed).toBeGreaterThan(tree.mutants.length / 3);
    expect(figuresOf({ format: 1, files: rows, excluded: {} })[0]).toContain(`of ${tree.mutants.length} mutants`);
  });

  test('the words of findings are left alone', () => {
    expect(
      tree.mutants.filter(({ mutator, original }) => mutator === 'StringLiteral' && original.split(' ').length > 2),
    ).toEqual([]);
    expect([...tree.excluded.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
  });
});

test('each explanation is of a mutant that there is, and of one alone', async () => {
  const { folder, mutants } = await mutatedTree(targets());
  rmSync(folder, { recursive: true });
  expect(staleExplanations(readExplanations(), new Set(mutants.map(({ id }) => id)))).toEqual([]);
});

describe('the committed report', () => {
  test('names no file that is gone', () => {
    expect(
      readReport()
        .files.map((row) => row.file)
        .filter((one) => !existsSync(join(root, one))),
    ).toEqual([]);
  });
});
