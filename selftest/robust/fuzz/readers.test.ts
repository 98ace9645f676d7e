import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter, anyUrl } from '../../unit/any-text.ts';
import { jsonReaders, textReaders } from './readers.ts';

const piece = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(...'< = " - 1e999 GMT T00:00:00Z %25 &#x; \\u {{ \u0000'.split(' '), '>; rel="next"', '; ', ', '),
  fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  anyUrl,
  fc.double().map(String),
);
const text = fc.array(piece, { maxLength: 12 }).map((all) => all.join(''));
const names =
  'id next next_cursor total page has_more data waivers clause expires format observed __proto__ constructor scheme toString';
const name = fc.oneof(fc.constantFrom(...names.split(' '), 'POST /v1/agents'), fc.string());
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null), fc.integer()),
    fc.array(tie('json'), { maxLength: 5 }),
    fc.dictionary(name, tie('json'), { maxKeys: 6, noNullPrototype: true }),
  ),
}));

/** Whether an error is the reader's own, which says what is wrong, and not a programming error. */
function expectOwn(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    const { name: kind, message, stack = '' } = error as Error;
    const isSlip =
      ['ReferenceError', 'RangeError', 'SyntaxError', 'URIError'].includes(kind) ||
      /undefined|not a function|Cannot read/.test(message);
    expect([isSlip, message.length > 0, isSlip ? stack : '']).toEqual([false, true, '']);
  }
}

describe('any input is read or refused with a message', () => {
  test.for(Object.entries(textReaders))('%s', ([, read]) => {
    fc.assert(
      fc.property(text, (one) => expectOwn(() => read(one))),
      { numRuns: 300 },
    );
  });

  test.for(Object.entries(jsonReaders))('%s', ([, read]) => {
    fc.assert(
      fc.property(json, (one) => expectOwn(() => read(one))),
      { numRuns: 300 },
    );
  });
});
