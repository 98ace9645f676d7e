import { beforeAll, describe, expect, test } from 'vitest';
import { faults } from '../../fixtures/reference/deployment.ts';
import { choicesText } from './choices-text.ts';
import { metCrossed } from './crossed.ts';
import { isCaught } from './fault-row.ts';
import { inStyle, plainOf, singleChoices } from './jobs.ts';
import { matrixText, readFaultLines, readMatrix } from './matrix.ts';
import { isPending, pending } from './pending.ts';
import { type Proven, prove } from './prove.ts';
import { seenIn } from './seen-in.ts';
import {
  aloneInSelftest,
  combinedInSelftest,
  crossedInSelftest,
  faultGroups,
  faultsAlone,
  faultsInSelftest,
  groups,
  selftestJobs,
  shapesInSelftest,
} from './selftest-jobs.ts';

let proven: Proven;
const deployment = (name: string) => proven.deployments.find((row) => row.name === name);

beforeAll(async () => {
  proven = await prove(selftestJobs());
}, 1_110_000);

describe('a fault fails the clauses that it breaks, and no others', () => {
  test.each(faultsInSelftest.map(({ id }) => id).filter((id) => !isPending(id)))('%s', (id) => {
    const row = proven.faults.find((one) => one.id === id);
    expect(row).toMatchObject({ missed: [], extra: [], harm: [] });
    expect(row?.fails).not.toEqual([]);
  });
});

test('no fault of a group fails a clause that another one fails or may fail', () => {
  const shared = faultGroups.flatMap((group) =>
    group.flatMap(({ id, fails }) =>
      group
        .filter((other) => other.id !== id)
        .filter((other) => fails.some((clause) => [...other.fails, ...other.mayFail].includes(clause)))
        .map((other) => `${id} ${other.id}`),
    ),
  );
  expect(shared).toEqual([]);
  expect(faultGroups.filter((group) => group.length > 1).length).toBeGreaterThan(100);
});

describe('a fault does so on deployments with other choices, too', () => {
  const named = ({ fault, deployment: { name } }: (typeof metCrossed)[number]) => [fault, name] as const;
  const rowOf = (id: string, deployment: string) =>
    proven.crossed.find((one) => one.id === id && one.deployment === deployment);
  test.each(crossedInSelftest.map(named))('%s with %s', (id, deployment) => {
    expect(rowOf(id, deployment)).toMatchObject({ missed: [], extra: [], harm: [] });
  });
  test.each(crossedInSelftest.filter((one) => metCrossed.includes(one)).map(named))(
    '%s shows with %s',
    (id, deployment) => {
      expect(rowOf(id, deployment)?.fails).not.toEqual([]);
    },
  );
});

describe('a correct deployment fails nothing, and leaves no more undecided than it may', () => {
  const plain = [plainOf('developer'), plainOf('workspace')];
  const run = [...aloneInSelftest, ...groups, ...inStyle, ...combinedInSelftest, ...shapesInSelftest];
  const named = [...plain, ...run].map(({ name }) => name);
  test.each(named.filter((name) => !isPending(name)))('%s', (name) => {
    expect(deployment(name)?.alarms).toEqual([]);
  });
  test('a group makes all choices that its name says', () => {
    expect(groups.map(({ chosen }) => choicesText(chosen))).toEqual(groups.map(({ name }) => name));
  });
});

describe('pending faults and deployments are still judged wrongly; otherwise their line must be removed', () => {
  const rightNow = (name: string): boolean => {
    const fault = proven.faults.find(({ id }) => id === name);
    return fault === undefined ? deployment(name)?.alarms.length === 0 : isCaught(fault);
  };
  test('faults and single choices', () => {
    const listed = Object.keys(pending).filter((name) => !name.includes(' '));
    const known = [...faults.map(({ id }) => id), ...singleChoices.map((one) => one.name)];
    expect(listed.filter((name) => !known.includes(name) || rightNow(name))).toEqual([]);
  });
});

describe('the committed matrix is current: npm run matrix writes it', () => {
  const nameIn = (line: string): string => line.split('\t')[0] ?? '';
  const committed = readMatrix().split('\n');
  const faultIds = faults.map(({ id }) => id);
  const choiceNames = singleChoices.map(({ name }) => name);

  test('it has the rows of what was judged alone, and these alone under their names', () => {
    const run = new Set([...faultsAlone.map(({ id }) => id), ...aloneInSelftest.map(({ name }) => name), '']);
    const faultsOfThem = proven.faults.filter(({ id }) => run.has(id));
    expect(committed.filter((line) => run.has(nameIn(line))).join('\n')).toBe(
      matrixText({ ...proven, faults: faultsOfThem }),
    );
  });
  test('it has the clauses that each fault fails', () => {
    const failing = new Map(proven.faults.map(({ id, fails }) => [id, fails]));
    const run = readFaultLines().filter(({ id }) => failing.has(id));
    expect(run.map(({ id, fails }) => [id, fails.toSorted()])).toEqual(
      run.map(({ id }) => [id, failing.get(id)?.toSorted()]),
    );
  });
  test('it has a row for each fault, and none of what is no more', () => {
    const names = committed.map(nameIn).filter((name) => name !== '');
    expect(names.filter((name) => !choiceNames.includes(name))).toEqual(faultIds);
  });
});

describe('observations distinguish deployments with different choices', () => {
  test.each(Object.entries(seenIn))('%s', (clause, names) => {
    const plain = deployment(plainOf(clause.startsWith('developer.') ? 'developer' : 'workspace').name);
    expect(plain?.observed[clause]).toBeDefined();
    const own = singleChoices.filter(({ name }) => names.includes(name.split('=')[0] ?? ''));
    const others = own.filter(({ name }) => deployment(name)?.observed[clause] !== plain?.observed[clause]);
    expect(new Set(others.map(({ name }) => name.split('=')[0]))).toEqual(new Set(names));
  });
});
