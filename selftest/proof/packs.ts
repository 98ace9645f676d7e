import type { ApiName } from '../../contract/clause.ts';
import { choices } from '../../fixtures/reference/deployment.ts';
import { apis } from '../world/world.ts';
import type { Job } from './row.ts';

/** A deployment that makes these choices, each as `NAME=VALUE`. */
export const choosing = (api: ApiName, chosen: readonly string[]): Job => ({
  api,
  name: chosen.join(' '),
  choices: Object.fromEntries(chosen.map((one) => one.split('='))) as Readonly<Record<string, string>>,
});

/**
 * Choices that no deployment makes together, or that together leave the suite nothing to read a deployment by, and why.
 * They are drawn and packed apart from each other.
 */
export const exclusions: Readonly<Record<string, string>> = {
  'developer-content-values=own-products developer-seeding=refused-409':
    'Which products there are, the answer to seeding alone shows.',
  'developer-key-delay=second developer-lockout=403-after-20':
    'Calls with a new key that does not work yet count as calls with a bad key.',
  'event-payload=thin workspace-row-numbers=beside':
    'An event names nothing but a number that is no id of a booking, and no read shows whose it is.',
  'workspace-create-answer=id workspace-extra-fields=many workspace-row-numbers=uuid-beside':
    "Among other ids nothing shows which one of a number and a UUID is a booking's own, if its create answers that alone.",
  'workspace-ids=numeric workspace-row-numbers=beside':
    'Of two numbers nothing shows which one is the id, where no call reads records by it.',
  'workspace-ids=short workspace-row-numbers=beside':
    'Of a number and a word of eight letters nothing shows which one is the id, where no call reads records by it.',
  'workspace-ids=uuid-checked workspace-row-numbers=uuid-beside': 'Ids are UUIDs, or numbers.',
  'workspace-record-style=resource workspace-row-numbers=beside':
    'Of a number and the end of a path nothing shows which one is the id, where no call reads records by it.',
};

/** These choices without the last one of each set that is excluded. */
export function compatible(chosen: readonly string[]): readonly string[] {
  const sets = Object.keys(exclusions).map((text) => text.split(' '));
  const left = sets.filter((parts) => parts.every((one) => chosen.includes(one))).map((parts) => parts.at(-1));
  return chosen.filter((one) => !left.includes(one));
}

/** How many choices one pack has at most. */
const most = 12;

/** Each value of each choice, without any other choice. */
export const singleChoices: readonly Job[] = choices.flatMap(({ api, name, values }) =>
  Object.keys(values).map((value) => choosing(api, [`${name}=${value}`])),
);

const isPossible = (pack: readonly string[]): boolean =>
  new Set(pack.map((one) => one.split('=')[0])).size === pack.length && compatible(pack).length === pack.length;

/**
 * Puts each choice into the first pack that has room for it, beginning at another pack each time. A pack makes each choice
 * in one way, and none that excludes another.
 */
function packed(all: readonly string[]): string[][] {
  const packs = Array.from({ length: Math.ceil(all.length / most) }, (): string[] => []);
  for (const [place, one] of all.entries()) {
    const start = place % packs.length;
    const inTurn = [...packs.slice(start), ...packs.slice(0, start)];
    const room = inTurn.find((pack) => pack.length < most && isPossible([...pack, one]));
    if (room === undefined) {
      packs.push([one]);
    } else {
      room.push(one);
    }
  }
  return packs.filter((pack) => pack.length > 0);
}

/** All choices in packs. */
export const choicePacks: readonly Job[] = apis.flatMap((api) =>
  packed(singleChoices.filter((one) => one.api === api).map(({ name }) => name)).map((pack) => choosing(api, pack)),
);
