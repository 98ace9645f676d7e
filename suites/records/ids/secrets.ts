import { createRedactor } from '../../../common/redact.ts';
import { escaped } from '../../reading/own-words.ts';
import { isUnguessable } from '../../reading/unguessable.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import type { NewRecord } from './new-record.ts';

/**
 * A test of ids that may not go into URLs and the ledger: an id that echoes the key which made the record, or looks like
 * a key.
 */
export function keyTest({ maker, answer }: Pick<NewRecord, 'maker' | 'answer'>): (id: string) => boolean {
  const holdsKey = keyHolder(maker);
  return (id) => holdsKey(id) && !beginsSecret(answer, id);
}

/** A test of texts that hold that key, however written, or look like a key. */
export function keyHolder({ secret }: Pick<ApiKey, 'secret'>): (text: string) => boolean {
  const redactor = createRedactor();
  redactor.learn(secret);
  return (text) => redactor.clean(text) !== text;
}

/**
 * Whether a much longer secret in the answer begins with an id: some services tell keys apart by that, and it gives
 * nothing away.
 */
const beginsSecret = (answer: Answer, id: string): boolean =>
  answer.unredacted(({ payload }) => new RegExp(`${escaped(id)}[\\w~+/=.-]{16}`).test(JSON.stringify(payload)));

const leastSecret = 20;
const leastHint = 4;

const isPartOf = (secret: string, text: string): boolean =>
  secret.length >= leastSecret && text.length >= leastHint && text.length < secret.length;

/** Whether a text is how a secret begins, as lists show it. */
export const isBeginningOf = (secret: string, text: string): boolean =>
  isPartOf(secret, text) && secret.startsWith(text);

/** Whether a text is how a secret ends, as lists show it. */
export const isEndOf = (secret: string, text: string): boolean => isPartOf(secret, text) && secret.endsWith(text);

/** Whether a text is how a secret begins or ends. */
export const isHintOf = (secret: string, text: string): boolean => isBeginningOf(secret, text) || isEndOf(secret, text);

/**
 * Whether a text is so much of how a secret begins or ends that no other secret has it. It ends within a word of the
 * secret: whole words, such as `svc_test`, may begin all secrets.
 */
export const isTellingHintOf = (secret: string, text: string): boolean =>
  isUnguessable(secret) &&
  (isEndOf(secret, text) ||
    (isBeginningOf(secret, text) && leastRandom.test(text) && /^[a-z0-9]/i.test(secret.slice(text.length))));

const leastRandom = /[a-z0-9]{4}$/i;
