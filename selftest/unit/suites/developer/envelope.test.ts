import { expect, test } from 'vitest';
import { envelope } from '../../../../suites/developer/envelope.ts';
import type { Answered } from '../../../../suites/session/evidence/evidence.ts';
import { exchangeWith } from '../../reports/sample.ts';
import { testSession } from '../../test-session.ts';

const stamped = (timestamps: readonly string[]) => timestamps.map((timestamp) => ({ meta: { timestamp } }));
const errors = [1, 2, 3].map((id) => ({ error: `No record ${id}`, data: { id } }));

// Responses come a minute apart from 1970 on.
test.for<[clause: string, bodies: readonly object[], finding: string]>([
  [
    'timestamp',
    stamped(Array.from({ length: 7 }, (_, at) => `2026-1${at + 3}-28T10:00:0${at + 2}.000Z`)),
    '/meta/timestamp is not a real date, in 7 of 7 responses',
  ],
  [
    'timestamp-clock',
    stamped(Array.from({ length: 5 }, (_, at) => new Date(at * 61_000 + 28 * 86_400_000).toISOString())),
    '/meta/timestamp is ahead of the clock: 672 hours, in 5 of 5 responses',
  ],
  ['error-on-failure', errors, '/error is a string, in 3 of 3 responses'],
  ['data-on-error', errors, '/data is an object, in 3 of 3 responses'],
  ['success', [{ success: 'true' }, { success: 'true' }], '/success is a string: "true", in 2 of 2 responses'],
])(
  'what is wrong with responses is one finding, with the value that all of them have: %s',
  async ([clause, bodies, says]) => {
    const { evidence, ...session } = testSession('developer');
    const responses = bodies.map((json, index) => {
      const response = { status: 'error' in json ? 404 : 200, headers: [], text: '', json };
      const at = { sentAt: index * 60_000, receivedAt: index * 60_000 };
      return exchangeWith({ number: index + 1, purpose: 'documented', response, ...at }) as Answered;
    });
    const outcome = await envelope[`developer.envelope.${clause}`]?.({
      ...session,
      evidence: { ...evidence, responses },
    });
    // Each names some of the calls, too.
    expect(outcome?.failures.map(({ message }) => message.replace(/: \d{3} on .*/, ''))).toEqual([says]);
  },
);
