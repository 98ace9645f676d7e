import { reword, scalarText, walk } from '../../../common/json.ts';
import { developerEndpoints } from '../../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { fillBody, isoOf } from '../../../settings/bodies-file.ts';
import { needAccepted } from '../../engine/expect.ts';
import { idsOf, shownIds } from '../../reading/record.ts';
import { rowsIn } from '../../reading/rows.ts';
import { addressOf } from '../../records/addresses.ts';
import { type Body, learnBody, type Recipe, recipesFor, refusesGuess, wrapped } from '../../records/bodies.ts';
import { findInList, isFound, nounOf, read } from '../../records/reads.ts';
import type { ArrangedCall, Difference } from '../../session/api.ts';
import type { Answer, ApiKey } from '../../session/call.ts';
import { mainKey, type Session, send, step } from '../../session/session.ts';
import { createKey, firstCreation, keyName, mainEnvironment, targetKey } from '../keys/making.ts';
import { keysPath } from '../keys/run-key.ts';
import { mainKeyStory, mainRotation, rotateKey } from '../keys/stories.ts';
import { seed, seedPath, trySeeding } from '../seeding.ts';

/** What the plain calls with the main key are for: they should be accepted. */
const accepted = 'accepted';

/** Words in the bodies of calls, by which lists show what those created; `label` says what they are for. */
export const markOf = ({ tag }: Session, label: string): string => `${tag}-${label.replace(/\W+/g, '-')}`;

/** Words in the body of the plain call with a key. */
export const plainMark = (session: Session, key: ApiKey): string =>
  markOf(session, isMain(session, key) ? accepted : key.environment);

const isMain = (session: Session, { label }: ApiKey): boolean => label === mainKey(session).label;

/** The body of an accepted call with the words for another call in place of its own. */
export const remarked = (session: Session, body: unknown, label: string): unknown =>
  reword(body, markOf(session, accepted), markOf(session, label));

/** The plain call of an endpoint: the twin of every call to it that should be refused. */
export interface Twin {
  readonly answer: Answer;
  readonly body?: unknown;
  /** How its body was made. */
  readonly recipe?: Recipe;
}

/**
 * The plain call of a documented endpoint with the main key, sent once a run: a POST of a module with the user's body,
 * or with likely ones in turn. Throws as the step that sends it.
 */
export const twinOf = step(async (session, endpoint: string): Promise<Twin> => {
  const ofStep = sentBySteps[endpoint];
  if (ofStep !== undefined) {
    return ofStep(session);
  }
  if (endpointOf(endpoint).method === 'GET') {
    return { answer: await read(session, endpoint) };
  }
  // A body may name a record that seeding creates.
  await trySeeding(session);
  const inHours = (hours: number): string => isoOf(new Date(session.openedAt + hours * 3_600_000));
  const tag = markOf(session, accepted);
  const times = { slot_start: inHours(24), slot_end: inHours(25) };
  const words = { run: tag, ...addressOf({ seed: session.seed, tag, number: 0 }), ...times };
  const sendBody = async (recipe: Recipe): Promise<Twin> => {
    const body = wrapped(fillBody(recipe.template, words), recipe.wrapper);
    return { answer: await send(session, endpoint, { body }), body, recipe };
  };
  const { sent } = await learnBody(endpoint, recipesFor(session, endpoint), {
    send: sendBody,
    isRefused: refusesGuess,
    idOf: (noun) => idToName(session, noun),
  });
  return sent;
});

/** Calls that other steps send: seeding, and the stories of keys. */
const sentBySteps: Readonly<Record<string, (session: Session) => Promise<Twin>>> = {
  [`POST ${seedPath}`]: async (session) => ({ answer: await seed(session) }),
  [`POST ${keysPath}`]: (session) => firstCreation(session, mainEnvironment(session)),
  [`GET ${keysPath}/:id/usage`]: async (session) => ({ answer: (await mainKeyStory(session)).usage.none() }),
  [`DELETE ${keysPath}/:id`]: async (session) => ({ answer: (await mainKeyStory(session)).deletion().answer }),
  [`POST ${keysPath}/:id/rotate`]: (session) => mainRotation(session),
};

/** The answer to the plain call of an endpoint with any key, sent once a run. */
export const twinWith = step(async (session, endpoint: string, key: ApiKey): Promise<Answer> => {
  if (!isMain(session, key) && endpointOf(endpoint).method === 'GET') {
    return read(session, endpoint, { key });
  }
  const { answer, body } = await twinOf(session, endpoint);
  return isMain(session, key)
    ? answer
    : send(session, endpoint, { key, body: remarked(session, body, key.environment) });
});

/**
 * The id of a record that a list shows, as the list shows it, for a body that has to name one: `campaign_id`.
 * undefined: no list shows any; or the main key is a live one, since a call may change the record that it names.
 */
async function idToName(session: Session, noun: string): Promise<unknown> {
  const list = developerEndpoints.find(({ id }) => id.startsWith('GET ') && id.endsWith(`/${noun}s`));
  if (list === undefined || mainKey(session).environment !== 'sandbox') {
    return undefined;
  }
  const { answer } = await twinOf(session, list.id);
  const [row] = rowsIn(answer.payload, noun) ?? [];
  const id = row && idsOf(row, noun)[0];
  return row && walk(row).find(({ value }) => scalarText(value) === id)?.value;
}

/**
 * Arranges a documented call and its twin. `label` is in the bodies, so that what a refused write left behind can
 * be found; a call on a key is made on one that nothing else needs. Throws Inconclusive where the twin cannot be made,
 * Skipped where the settings forbid it.
 */
export async function arrange(session: Session, endpoint: Endpoint, label: string): Promise<ArrangedCall> {
  const { answer: twin, body } = await twinOf(session, endpoint.id);
  const sendWith = async (difference: Difference): Promise<Answer> => {
    const { reshape = (whole) => whole, key = mainKey(session), ...rest } = difference;
    const details = { purpose: 'refusal' as const, ...rest, key };
    switch (endpoint.id) {
      case `POST ${keysPath}`: {
        const name = keyName(session, label);
        const creation = { tag: name, body: reshape({ ...(body as Body), name }) };
        return (await createKey(session, { ...details, ...creation })).answer;
      }
      case `POST ${keysPath}/:id/rotate`:
        return (await rotateKey(session, await targetKey(session), details)).answer;
      default:
        return send(session, endpoint.id, {
          ...details,
          ...(endpoint.path.includes(':id') ? { id: (await targetKey(session)).id } : {}),
          ...(endpoint.body === undefined ? {} : { body: reshape(remarked(session, body, label)) }),
        });
    }
  };
  return { endpoint, twin: async () => twin, send: sendWith };
}

/**
 * The answer to the plain call of a write with a key, and where a list shows to that key what it created, looked for
 * once a run. An id is told from the list of the write's own path alone. Throws Inconclusive where nothing was created,
 * and Skipped where WRITES forbids the call.
 */
export const createdBy = step(async (session, write: string, list: string, key: ApiKey) => {
  const created = await twinWith(session, write, key);
  needAccepted(created, `${write} creates nothing with ${key.label}`, endpointOf(write).clause);
  const tag = plainMark(session, key);
  const shown = created.unredacted(({ payload }) => shownIds(payload, nounOf(list), tag)[0]?.id);
  const id = list === write.replace(/^POST/, 'GET') ? shown : undefined;
  const record = { collection: endpointOf(list).path, id, tag };
  return { created, record, listed: await findInList(session, record, { key, shows: isFound }) };
});
