import { expect, test } from 'vitest';
import { envelope } from '../../../../suites/developer/envelope.ts';
import type { Answered } from '../../../../suites/session/evidence/evidence.ts';
import { exchangeWith } from '../../reports/sample.ts';
import { testSession } from '../../test-session.ts';

/** Responses with these bodies, a minute apart from 1970 on. */
const session = (bodies: readonly object[]) => ({
  ...testSession('developer'),
  evidence: {
    ...testSession('developer').evidence,
    responses: bodies.map((json, index) => {
      const response = { status: 'error' in json ? 404 : 200, headers: [], text: '', json };
      const at = { sentAt: index * 60_000, receivedAt: index * 60_000 };
      return exchangeWith({ number: index + 1, purpose: 'documented', response, ...at }) as Answered;
    }),
  },
});

/** The messages of the findings, up to the calls that they name. */
async function messages(clause: string, bodies: readonly object[]): Promise<string[]> {
  const { failures } = (await envelope[clause]?.(session(bodies))) ?? { failures: [] };
  return failures.map(({ message }) => message.replace(/: \d{3} on .*/, ''));
}

const stamped = (timestamps: readonly string[]) => timestamps.map((timestamp) => ({ meta: { timestamp } }));

test('values that differ from response to response are one finding', async () => {
  const swapped = Array.from({ length: 9 }, (_, index) => `2026-1${index + 1}-28T10:00:0${index}.000Z`).slice(2);
  expect(await messages('developer.envelope.timestamp', stamped(swapped))).toEqual([
    '/meta/timestamp is not a real date, in 7 of 7 responses',
  ]);
  const late = Array.from({ length: 5 }, (_, index) => new Date(index * 61_000 + 28 * 86_400_000).toISOString());
  expect(await messages('developer.envelope.timestamp-clock', stamped(late))).toEqual([
    '/meta/timestamp is ahead of the clock: 672 hours, in 5 of 5 responses',
  ]);
  const errors = [1, 2, 3].map((id) => ({ error: `No record ${id}`, data: { id } }));
  expect(await messages('developer.envelope.error-on-failure', errors)).toEqual([
    '/error is a string, in 3 of 3 responses',
  ]);
  expect(await messages('developer.envelope.data-on-error', errors)).toEqual([
    '/data is an object, in 3 of 3 responses',
  ]);
});

test('a value that all responses have is named', async () => {
  const bodies = [{ success: 'true' }, { success: 'true' }];
  expect(await messages('developer.envelope.success', bodies)).toEqual([
    '/success is a string: "true", in 2 of 2 responses',
  ]);
});
