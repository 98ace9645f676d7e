import { expect, test } from 'vitest';
import { clauses } from '../../contract/clauses.ts';
import { choiceRow, type Deployment } from './choice-row.ts';
import { plain } from './jobs.ts';

const [plainDeveloper, plainWorkspace] = plain as [Deployment, Deployment];

// Clauses on all answers have none to judge without the calls of the others.
const judgedByCalls = clauses.filter(({ everyResponse }) => !everyResponse).map(({ id }) => id);

test.each(judgedByCalls)('-t may choose %s alone', async (clause) => {
  const deployment = clause.startsWith('developer.') ? plainDeveloper : plainWorkspace;
  expect((await choiceRow({ ...deployment, clauses: [clause] })).alarms).toEqual([]);
});
