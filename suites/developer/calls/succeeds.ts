import { at, canonical } from '../../../common/json.ts';
import { differences } from '../../../common/schema.ts';
import { endpointOf, isEndpoint } from '../../../contract/endpoints.ts';
import { dataSchemas, type Schema } from '../../../contract/schemas.ts';
import { Inconclusive, type Outcome, type Tally } from '../../../results/outcome.ts';
import type { Check } from '../../engine/check.ts';
import { describeAnswer, differenceOf, expectAccepted, findingOn, undecided } from '../../engine/expect.ts';
import { rowsIn } from '../../reading/rows.ts';
import { type Body, bodyRefused, refusesGuess, sayLastSent } from '../../records/bodies.ts';
import { judgeCreatedListed, judgeMadeOnce } from '../../records/listed-records.ts';
import { fieldsNamed } from '../../records/named-fields.ts';
import { read } from '../../records/reads.ts';
import { type Answer, isSuccess } from '../../session/call.ts';
import { mainKey, mainKeys, type Session, send } from '../../session/session.ts';
import { keysOfBothEnvironments } from '../environments.ts';
import { createdBy, remarked, type Twin, twinOf, twinWith } from './twins.ts';

// Documented calls that must succeed: with the main key, and with a live one where there is one.

/**
 * A documented GET succeeds with the main key and with a live key, the given one or else one that the run makes:
 * "Behaviour is identical between the two." Where the document shows the data, every accepted answer of the run has
 * that shape.
 */
export const readSucceeds =
  (endpoint: string): Check =>
  async (session, tally) => {
    const given = mainKeys(session);
    const makesLive = given.length === 1 && session.settings.WRITES === 'all';
    const [, ...live] = makesLive ? await keysOfBothEnvironments(session, endpoint) : given;
    const answers = await Promise.all([mainKey(session), ...live].map((key) => read(session, endpoint, { key })));
    for (const answer of answers) {
      tally.judge(expectAccepted(answer, `${endpoint} failed with ${answer.exchange.keyLabel}`));
    }
    const { schema } = endpointOf(endpoint);
    if (schema !== undefined) {
      await session.until('quiet');
      tally.add(judgeShape(session, endpoint, dataSchemas[schema]));
    }
  };

/** The data of every accepted answer of an endpoint against its schema: filtered, paged, live and sandbox ones. */
export function judgeShape({ api, evidence }: Session, endpoint: string, schema: Schema): Outcome {
  const accepted = evidence.responses.filter(
    ({ endpoint: called, purpose, response }) =>
      called === endpoint && purpose === 'documented' && isSuccess(response) && api.showsSuccess(response.json),
  );
  const found = accepted.flatMap((exchange) =>
    differences(schema, at(exchange.response.json, '/data'), '/data').map((difference) => ({ exchange, difference })),
  );
  // The same field of many rows is one cause.
  const causes = Map.groupBy(
    found,
    ({ difference: { place, expected } }) => `${place.replace(/\/\d+(?=\/|$)/g, '/*')} ${expected}`,
  );
  const failures = [...causes.values()].slice(0, 20).map((alike) => {
    const [{ exchange, difference }] = alike as [(typeof found)[number]];
    const answers = new Set(alike.map((one) => one.exchange.number)).size;
    const message = `${differenceOf(endpoint, difference)}, in ${answers} of ${accepted.length} answers`;
    return findingOn({ exchange }, { ...difference, message });
  });
  return { failures, undecided: [], compared: accepted.length };
}

/**
 * A check: a documented POST succeeds in both environments; where the GET of its path lists records, that shows what it
 * created. A refused guess at its body decides nothing; nor, where it should be listed, does an accepted one alone.
 */
export const postSucceeds =
  (endpoint: string): Check =>
  async (session, tally) => {
    const { answer, recipe } = await twinOf(session, endpoint);
    if (recipe !== undefined && refusesGuess(answer, recipe)) {
      throw bodyRefused(endpoint, answer, recipe);
    }
    const list = `GET ${endpointOf(endpoint).path}`;
    if (!answer.accepted || !isEndpoint(list)) {
      tally.judge(expectAccepted(answer));
      await (answer.accepted && judgeLiveWrite(session, tally, endpoint));
      return;
    }
    const [, ...live] = await keysOfBothEnvironments(session, endpoint);
    for (const key of [mainKey(session), ...live]) {
      await tally.part(async () => {
        const { created, record, listed } = await createdBy(session, endpoint, list, key);
        if (listed === null) {
          judgeLiveAnswer(tally, endpoint, created, await twinOf(session, endpoint));
          return;
        }
        // Without an id nobody knows what to look for in a record that does not show its words.
        const { id = record.tag } = record;
        judgeCreatedListed(tally, { ...listed, isComplete: listed.isComplete && id !== record.tag }, { ...record, id });
        judgeMadeOnce(session, tally, listed, record);
      });
    }
  };

/**
 * Judges a write that was accepted with the main key, with a live key, too, where there is one and WRITES allows it.
 * `full`: the accepted call, if it is not the plain one.
 */
const judgeLiveWrite = (session: Session, tally: Tally, endpoint: string, full?: Twin): Promise<void> =>
  tally.part(async () => {
    const [, key] = await keysOfBothEnvironments(session, endpoint);
    if (key !== undefined) {
      const marked = full && remarked(session, full.body, key.environment);
      const sent =
        full === undefined ? twinWith(session, endpoint, key) : send(session, endpoint, { key, body: marked });
      judgeLiveAnswer(tally, endpoint, await sent, full ?? (await twinOf(session, endpoint)));
    }
  });

/** Fields of documented bodies that name what the account has. */
const namesOfOwn = ['skill', 'product'];

/**
 * Judges the answer to a write with a live key that the sandbox accepted. Throws Inconclusive where it is open: which
 * values live data know is, and other clauses judge keys and scopes. A 404 is not, where nothing in the body names
 * anything: neither the user nor the deployment asked for a field of it.
 */
function judgeLiveAnswer(tally: Tally, endpoint: string, answer: Answer, { recipe }: Twin): void {
  const what = `${endpoint} failed with a live key`;
  const isPlain = recipe && !recipe.isUsers && !recipe.mayRefer && !namesOfOwn.some((name) => name in recipe.template);
  if ([400, 401, 403].includes(answer.status) || (answer.status === 404 && !isPlain)) {
    throw undecided(answer, `${what}, perhaps because of its key or its values`);
  }
  tally.judge(expectAccepted(answer, what));
}

// POSTs whose fields are documented: they succeed without the optional ones, and with all of them.

export const draft = 'POST /api/v1/inbox/draft';
export const generate = 'POST /api/v1/content/generate';

/** Values to try in turn for the optional fields of a documented body: the document does not show which they take. */
async function optionalFields(session: Session, endpoint: string): Promise<readonly Body[]> {
  if (endpoint === generate) {
    return [300, 500, 1_000].map((words) => ({ word_count: words }));
  }
  const { payload } = await read(session, 'GET /api/v1/inbox/skills');
  const { id, slug, name } = rowsIn(payload, 'skill')?.[0] ?? {};
  // A draft may call a skill by its name or by its id.
  const skills = [slug ?? name, id, 'reply'].filter((one) => one !== undefined);
  return skills.map((skill, index) => ({ skill, tone: index === 0 ? 'professional' : 'friendly' }));
}

/** Whether a body is refused in a way that may be due to the values of its optional fields. */
const refusesValues = ({ status }: Answer): boolean => status === 400 || status === 404;

/** The call with all optional fields: the first not refused for its values, else the first. What BODIES says stays. */
async function fullBody(session: Session, endpoint: string): Promise<Twin> {
  const { body, recipe } = await twinOf(session, endpoint);
  const withFields = (await optionalFields(session, endpoint)).map((fields) => ({
    body: { ...fields, ...(body as Body) },
    ...(recipe && { recipe: { ...recipe, template: { ...fields, ...(recipe.template as Body) } } }),
  }));
  const tried: Twin[] = [];
  for (const full of new Map(withFields.map((one) => [JSON.stringify(one.body), one])).values()) {
    const call = { ...full, answer: await send(session, endpoint, { body: full.body }) };
    if (!refusesValues(call.answer)) {
      return call;
    }
    tried.push(call);
  }
  return tried[0] as Twin;
}

/** Whether a call says of an optional field, whatever its value, that it does not know it: just as of a made-up one. */
async function refusesName(session: Session, endpoint: string, plain: Twin, full: Twin): Promise<boolean> {
  const body = plain.body as Body;
  const whole = full.body as Body;
  const errorOf = ({ json }: Answer): unknown => at(json, '/error');
  const error = { json: errorOf(full.answer), text: full.answer.text };
  const name = fieldsNamed(error, whole).unknown.find((one) => !(one in body));
  if (name === undefined) {
    return false;
  }
  // As long as the name: parsers tell the column, too.
  const madeUp = [...name].reverse().join('');
  const other = await send(session, endpoint, { body: { ...body, [madeUp]: whole[name] } });
  return canonical(errorOf(other)).replaceAll(madeUp, name) === canonical(error.json);
}

/**
 * A check: a POST whose fields are documented succeeds without optional fields and with all of them, in both
 * environments. Where every value that was tried is refused, that decides nothing: the document does not show which
 * values the fields take.
 */
export const documentedPostSucceeds =
  (endpoint: string, names: string): Check =>
  async (session, tally) => {
    const plain = await twinOf(session, endpoint);
    const full = await fullBody(session, endpoint);
    if (plain.recipe !== undefined && plain.answer.status === 400 && !full.answer.accepted) {
      const says = 'rejected every value that the suite tried for its documented fields';
      throw bodyRefused(endpoint, plain.answer, plain.recipe, { says });
    }
    const what = full.answer.accepted ? [`${endpoint} fails without ${names}, and succeeds with them`] : [];
    tally.judge(expectAccepted(plain.answer, ...what));
    if (!plain.answer.accepted) {
      return;
    }
    await judgeLiveWrite(session, tally, endpoint);
    if (refusesValues(full.answer) && !(await refusesName(session, endpoint, plain, full))) {
      const lastSent = full.recipe === undefined ? '' : `. ${sayLastSent(endpoint, full.recipe)}`;
      throw new Inconclusive(
        findingOn(full.answer, {
          message: `${endpoint} accepts none of the suite's values for ${names}: ${describeAnswer(full.answer)}`,
          advice: `Add a working body with ${names} for ${endpoint} to your BODIES file${lastSent}`,
        }),
      );
    }
    tally.judge(expectAccepted(full.answer, `${endpoint} failed with ${names}`));
    if (full.answer.accepted) {
      await judgeLiveWrite(session, tally, endpoint, full);
    }
  };
