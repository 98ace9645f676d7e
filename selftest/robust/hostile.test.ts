import { expect, test } from 'vitest';
import { isNightly } from '../nightly.ts';
import { longestShownPart } from '../unit/common/secrets.ts';
import { expectAgreement } from '../unit/reports/expect-agreement.ts';
import { resultsOf, runOf } from '../unit/reports/sample.ts';
import { answering, type Between } from '../world/between.ts';
import { apis } from '../world/world.ts';
import { elsewhere, hostileAnswers } from './hostile/answers.ts';
import { toldApart } from './hostile/told-apart.ts';
import { tryClient } from './hostile/try-client.ts';
import { run } from './run.ts';

// Concurrently, since some wait for a time limit.
test.concurrent.for(Object.entries(toldApart))('a server that %s', async ([, [behave, comes, isJson = false]]) => {
  // Only behaviours that should reach the time limit get a short one.
  expect(await tryClient(behave, comes === 'timeout' ? 400 : 30_000)).toEqual({ troubles: [], comes, isJson });
});

type Kinds = readonly (keyof typeof hostileAnswers)[];

/** The first calls get good answers, so that the run has keys and records; then every second one does not, in turn. */
const hostile = (kinds: Kinds): Between =>
  answering(() => {
    let number = 0;
    return (answer, request) => {
      number += 1;
      const kind = kinds[(number / 2) % kinds.length];
      return number > 8 && kind !== undefined ? (hostileAnswers[kind]?.(answer, request, number) ?? answer) : answer;
    };
  });

/** Whether a text shows a part of a key's random characters that is as long as the redactor promises to find. */
const leaks = (text: string, secret: string): boolean =>
  longestShownPart(text, secret.replace(/^(svc_(test|live)|wsk)_/, '')).length >= 8;

const all = Object.keys(hostileAnswers);
/** Long ones are left to the night, in which each is also tried alone. */
const inTurn = isNightly ? all : all.filter((kind) => !/mebibyte|100,000|backtrack/.test(kind));

const rows: readonly (readonly [string, Kinds])[] = [
  ['of all kinds in turn', inTurn],
  ...(isNightly ? all.map((kind): [string, Kinds] => [kind, [kind]]) : []),
];

test.for(apis.flatMap((api) => rows.map((row) => [api, ...row] as const)))(
  '%s: hostile answers break no check, lead nowhere else, show no key, and harm no report: %s',
  async ([api, , kinds]) => {
    const { exchanges, results, reference } = await run(api, { between: hostile(kinds) });
    expect(exchanges.filter(({ request }) => request.url.startsWith(elsewhere))).toEqual([]);
    const answers = exchanges.map(({ response }) => [response?.headers, response?.text]);
    const text = JSON.stringify([results, answers, exchanges.map(({ request }) => request)]);
    expect(reference[api].secrets().filter((secret) => leaks(text, secret))).toEqual([]);
    expectAgreement(runOf({ results: resultsOf(Object.fromEntries(results.map((one) => [one.id, one]))), exchanges }));
  },
);
