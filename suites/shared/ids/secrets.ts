import { walk } from '../../../common/json.ts';
import { createRedactor } from '../../../common/redact.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import type { NewRecord } from './sources.ts';

/** Whether an id may not go into URLs and the ledger: it is an echo of the key that made the record, or looks like a key. */
export const isKey = (id: string, { maker, answer }: Pick<NewRecord, 'maker' | 'answer'>): boolean =>
  holdsKey(id, maker) && !beginsSecret(answer, id);

/** Whether an id is that key, however written, or looks like a key. */
export function holdsKey(id: string, { secret }: Pick<ApiKey, 'secret'>): boolean {
  const redactor = createRedactor();
  redactor.learn(secret);
  return redactor.clean(id) !== id;
}

/** What a secret has to have after the id with which it begins. */
const restOfSecret = /^[\w~+/=.-]{16}/;

/** Whether the secret in an answer begins with an id: some services tell keys apart by that, and it gives nothing away. */
const beginsSecret = (answer: Answer, id: string): boolean =>
  answer.unredacted(({ payload }) =>
    walk(payload).some(
      ({ value }) =>
        typeof value === 'string' &&
        value
          .split(id)
          .slice(1)
          .some((rest) => restOfSecret.test(rest)),
    ),
  );
