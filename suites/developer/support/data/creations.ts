import { endpointOf } from '../../../../contract/endpoints.ts';
import { createTally, type Tally } from '../../../../results/outcome.ts';
import type { Check } from '../../../engine/check.ts';
import { expectAccepted, findingOn } from '../../../engine/expect.ts';
import { judgePart } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import { mainKey } from '../../../session/keys.ts';
import { showsSomewhere } from '../../../session/reading/own-words.ts';
import { idIn } from '../../../session/reading/shown-ids.ts';
import { isUnguessable } from '../../../session/reading/unguessable.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { nounOf } from '../../../shared/collections.ts';
import { bodyRefused, refusesBody } from '../../../shared/complaints/refused-body.ts';
import { beyondPages } from '../../../shared/lists/beyond-pages.ts';
import { inPages } from '../../../shared/lists/created.ts';
import { readUntil } from '../../../shared/lists/list-search.ts';
import { lookInto } from '../../../shared/lists/looks.ts';
import { acceptedMark, refusedMark } from '../calls/bodies.ts';
import { twinOf, twinWith } from '../calls/twins.ts';
import { keysOfBothEnvironments } from './environments.ts';
import { mayHaveTaken } from './seeding.ts';
import { sides } from './sides.ts';

/** What looking for a created record came to. */
interface Looked {
  readonly isShown: boolean;
  /** Those that were read. */
  readonly pages: readonly [Answer, ...Answer[]];
}

/** What a documented POST created, and whether its list shows that. */
interface Creation {
  readonly answer: Answer;
  readonly words: string;
  readonly id: string | undefined;
  readonly where: 'shown' | 'absent' | 'unknown';
  /** The last page that was read. */
  readonly last: Answer;
  readonly pages: number;
}

/** A documented POST creates a record, which the GET of the same path then lists. A guessed body that is refused decides nothing. */
export const creates =
  (endpoint: string): Check =>
  async (session) => {
    const tally = createTally();
    const { answer } = await twinOf(session, endpoint);
    if (refusesBody(answer)) {
      throw bodyRefused(endpoint, answer);
    }
    tally.judge(expectAccepted(answer));
    if (answer.accepted) {
      const list = endpoint.replace(/^POST/, 'GET');
      judgeListed(tally, list, await listedCreation(session, endpoint, list));
      await judgePart(tally, () => judgeListedLive(session, tally, endpoint, list));
    }
    return tally.outcome();
  };

/** Live data keeps it as the sandbox does: judged where all of the list can be read. Throws Skipped where WRITES forbids it. */
async function judgeListedLive(session: Session, tally: Tally, endpoint: string, list: string): Promise<void> {
  const [, writer] = await keysOfBothEnvironments(session, endpoint);
  if (writer === undefined) {
    return;
  }
  const answer = await twinWith(session, endpoint, writer);
  if (!answer.accepted) {
    return;
  }
  // The key that the run made has a budget of its own.
  const { live, sandbox } = await sides(session);
  const words = refusedMark(session, writer.environment);
  const creation = await lookedFor(session, list, { answer, words, keys: [live.at(-1) ?? writer, writer] });
  const { where } = creation;
  // What went to the other environment is the matter of developer.sandbox.isolation.
  const made = { tag: words, id: isUnguessable(creation.id ?? '') ? creation.id : undefined };
  const isKept = async (key: ApiKey): Promise<boolean> =>
    (await lookWith(session, list, key, ({ json }) => showsSomewhere(json, made))).isShown;
  if (where === 'shown' || (where === 'absent' && !(await isKept(sandbox.at(-1) as ApiKey)))) {
    judgeListed(tally, list, creation);
  }
}

/** Looks for what the plain call of an endpoint created; makes it once more where seeding may have taken it. */
export const listedCreation = stepFor(
  (endpoint: string, _list: string) => endpoint,
  async (session, endpoint, list): Promise<Creation> => {
    const { answer, body } = await twinOf(session, endpoint);
    const [own] = await keysOfBothEnvironments(session, list);
    const sought = { words: acceptedMark(session), keys: [own, mainKey(session)] } as const;
    const first = await lookedFor(session, list, { ...sought, answer });
    if (first.where !== 'absent' || !(await mayHaveTaken(session, answer))) {
      return first;
    }
    const again = await send(session, endpoint, { body });
    return again.accepted ? lookedFor(session, list, { ...sought, answer: again }) : { ...first, where: 'unknown' };
  },
);

/** What is looked for, and who reads: with the key that created it only where another of the account does not see it. */
interface Sought {
  readonly answer: Answer;
  readonly words: string;
  readonly keys: readonly [reader: ApiKey, creator: ApiKey];
}

/** Looks for what a call created in a list, with its creator's key where another does not see it. */
export async function lookedFor(
  session: Session,
  list: string,
  { answer: created, words, keys }: Sought,
): Promise<Creation> {
  const id = created.unredacted(({ payload }) => idIn(payload, nounOf(list)));
  const shows = (answer: Answer) => answer.unredacted(({ payload }) => showsSomewhere(payload, { id, tag: words }));
  const [reader, creator] = keys;
  const looked = await readUntil(
    session,
    () => lookWith(session, list, reader, shows),
    ({ isShown }) => isShown,
  );
  const { isShown, pages } = looked.isShown ? looked : await lookWith(session, list, creator, shows);
  const last = pages.at(-1) ?? pages[0];
  const where = isShown || !last.accepted ? 'shown' : await beyondPages(session, list, { pages, shows, key: creator });
  return { answer: created, words, id, where, last, pages: pages.length };
}

function judgeListed(tally: Tally, list: string, creation: Creation): void {
  const noun = nounOf(list);
  const { answer, words: mark, id, where, last, pages } = creation;
  if (where === 'shown' && last.accepted) {
    tally.judge(null);
    return;
  }
  const words = idIn(answer.payload, noun) ?? mark;
  const finding = findingOn(last, {
    message: `Created ${noun} is not listed: ${words} is not in ${inPages(pages, list)}`,
    expected: `a record that shows ${words}`,
    actual: 'no such record',
  });
  if (!last.accepted) {
    tally.leaveOpen({ ...finding, blames: endpointOf(list).clause });
  } else if (id !== undefined && where === 'absent') {
    tally.judge(finding);
  } else {
    tally.leaveOpen({
      ...finding,
      cause: 'Nothing in the answers shows that these are all records, or how the new one is told',
    });
  }
}

async function lookWith(
  session: Session,
  list: string,
  key: ApiKey,
  shows: (answer: Answer) => boolean,
): Promise<Looked> {
  const pages: Answer[] = [];
  for await (const { answer } of (await lookInto(session, list, { key })).pages()) {
    pages.push(answer);
    if (shows(answer)) {
      break;
    }
  }
  return { pages: pages as [Answer, ...Answer[]], isShown: pages.some(shows) };
}
