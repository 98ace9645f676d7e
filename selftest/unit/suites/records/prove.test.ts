import { expect, test } from 'vitest';
import { testKeys } from '../../test-session.ts';
import { type Looks, open } from './kept-records.ts';

const [own, other, third] = ['Xk6IlsJq3C28e70hxqTz', 'Ld93kQz71RbW0pVm55tY', 'Qm71nRbW0pVm55tYXz3K'] as const;
const [keys, bookings, webhooks] = ['/api/v1/developer/keys', '/v1/bookings', '/v1/webhooks'] as const;
const [sent, later] = ['2031-03-03T09:00:00Z', '2031-03-04T09:00:00Z'];
const token = { subscription: own, token: '9f86d081884c7d659a2feaa0c55ad015' };

/** What a record shows besides its title in the answer to its create and in its row, and where its id is told to be. */
interface Shown {
  readonly created: object;
  /** What its row shows: by default the same; null: it is not listed. */
  readonly row?: object | null;
  /** What the row of somebody else shows. */
  readonly theirs?: object;
  readonly told?: string;
  readonly isUntitled?: true;
}

// What no list or read shows is proven by the name alone under which it stands, if by anything.
test.for<[string, collection: string, Shown, id: string | undefined]>([
  ['a token next to the id, under a name that is told', webhooks, { created: token, told: '/subscription' }, own],
  ['an id under a told name, in no list', keys, { created: { kennung: own }, row: null, told: '/kennung' }, own],
  ['an id that no list shows', keys, { created: { id: own }, row: null }, undefined],
  ['an id under a told name, for reads', '/v1/agents', { created: { persona: own }, row: null, told: '/persona' }, own],
  [
    'its id and a time that was sent, and no words',
    bookings,
    { created: { id: own, at: sent }, isUntitled: true },
    own,
  ],
  [
    'its id, another time, and no words',
    bookings,
    { created: { id: own, at: sent }, row: { id: own, at: later }, isUntitled: true },
    undefined,
  ],
  ['an id that another has, too', bookings, { created: { id: own }, theirs: { id: own } }, undefined],
  ['two ids, of which nothing tells the likelier', bookings, { created: { id: own, uuid: third } }, undefined],
  ['the key that created it for its id', bookings, { created: { id: testKeys.workspace } }, undefined],
])('whether an id is proven of a record that shows %s', async ([, collection, shown, id]) => {
  const { created, row = created, theirs = { id: 'Zz9Yy8Xx7Ww6' }, told, isUntitled } = shown;
  const titled = (words: string): object => (isUntitled ? {} : { title: `Demo ${words}` });
  const looks: Looks = {
    created: ({ name }) => ({ ...created, ...titled(name) }),
    listed: (_, words) => [
      ...(row === null ? [] : [{ ...row, ...titled(words) }]),
      { ...theirs, title: 'Somebody else' },
    ],
    viewed: (_, words, wanted) => (wanted === own ? { persona: own, ...titled(words) } : undefined),
    isHiddenAtFirst: true,
  };
  const kind = collection.split('/').at(-1) ?? '';
  const { session, create } = open(collection, 'random', looks, told === undefined ? {} : { [kind]: { id: told } });
  session.writeGuard.allow('/v1/leads', other);
  const made = await create((words) => ({ title: `Demo ${words}`, at: sent }));
  expect(session.writeGuard.allows(collection, made.id ?? '') ? made.id : undefined).toBe(id);
});
