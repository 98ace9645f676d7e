import { expect, test } from 'vitest';
import { createRedactor } from '../../../../common/redact.ts';
import { holdsKey } from '../../../../suites/records/candidates.ts';

const secret = 'wk_live_Zx81mQpL0vT4rB9nKc27';
const redactor = createRedactor();
redactor.learn(secret);

test.each([
  ['the key', secret],
  ['the key in base64', Buffer.from(secret).toString('base64')],
  ['the key in hexadecimal digits', Buffer.from(secret).toString('hex')],
  ['the key after another word', `key:${secret}`],
  ['a part of the key', secret.slice(8, 20)],
])('%s is not an id', (_, id) => {
  expect(holdsKey({ redactor }, { secret }, id)).toBe(true);
});

test.each(['agt_9LAAoWdJVfGKidzO', '52316', '0f8fad5b-d9cb-469f-a165-70867728950e', 'wk_live_', 'brave-otter-1042'])(
  '%s is one',
  (id) => {
    expect(holdsKey({ redactor }, { secret }, id)).toBe(false);
  },
);
