import { at, canonical } from '../../../common/json.ts';
import { differences } from '../../../common/schema.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { isEndpoint } from '../../../contract/endpoints.ts';
import { dataSchemas, type Schema } from '../../../contract/schemas.ts';
import { Inconclusive, type Outcome, type Tally } from '../../../results/outcome.ts';
import { atMoment, type Check } from '../../engine/check.ts';
import { describeAnswer, differenceOf, expectAccepted, findingOn, undecided } from '../../engine/expect.ts';
import { rowsIn } from '../../reading/rows.ts';
import { type Body, bodyRefused, refusesGuess, sayLastSent } from '../../records/bodies.ts';
import { judgeCreatedListed, judgeMadeOnce } from '../../records/listed-records.ts';
import { fieldsNamed } from '../../records/named-fields.ts';
import { read } from '../../records/reads.ts';
import { type Answer, isSuccess } from '../../session/call.ts';
import { mainKey, type Session, send } from '../../session/session.ts';
import { keysOfBothEnvironments } from '../environments.ts';
import { createdBy, remarked, type Twin, twinOf, twinWith } from './twins.ts';

/** A check: a documented call of a module succeeds in both environments. */
export const callSucceeds = (endpoint: Endpoint): Check =>
  endpoint.method === 'GET' ? readSucceeds(endpoint) : postSucceeds(endpoint);

/**
 * A documented GET succeeds with the main key and with a live key: "Behaviour is identical between the two." Where the
 * document shows the data, every accepted answer of the run has that shape.
 */
function readSucceeds({ id, schema }: Endpoint): Check {
  const check: Check = async (session, tally) => {
    const [, ...live] = await keysOfBothEnvironments(session, id);
    const answers = await Promise.all([mainKey(session), ...live].map((key) => read(session, id, { key })));
    for (const answer of answers) {
      tally.judge(expectAccepted(answer, `${id} failed with ${answer.exchange.keyLabel}`));
    }
    if (schema !== undefined) {
      await session.until('quiet');
      tally.add(judgeShape(session, id, dataSchemas[schema]));
    }
  };
  return schema === undefined ? check : atMoment('quiet', check);
}

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
 * A documented POST succeeds in both environments, and so it does with the optional fields that the document shows;
 * where the GET of its path lists records, that shows what it created. A refused guess at its body decides nothing, nor
 * do values of optional fields that are refused; nor, where it should be listed, does an accepted one alone.
 */
const postSucceeds =
  ({ id, path, body }: Endpoint): Check =>
  async (session, tally) => {
    const names = (body ?? []).flatMap(({ name, required }) => (required ? [] : name)).join(' and ');
    const plain = await twinOf(session, id);
    const full = names === '' ? undefined : await fullBody(session, id);
    if (plain.recipe !== undefined && refusesGuess(plain.answer, plain.recipe) && !full?.answer.accepted) {
      throw bodyRefused(id, plain.answer, plain.recipe);
    }
    if (!plain.answer.accepted) {
      const what = full?.answer.accepted ? [`${id} fails without ${names}, and succeeds with them`] : [];
      tally.judge(expectAccepted(plain.answer, ...what));
      return;
    }
    const [, ...live] = await keysOfBothEnvironments(session, id);
    await tally.inTurn([mainKey(session), ...live], async (key) => {
      const answer = await twinWith(session, id, key);
      const list = `GET ${path}`;
      if (!answer.accepted || !isEndpoint(list)) {
        judgeAnswer(tally, id, answer, plain);
        return;
      }
      const { record, listed } = await createdBy(session, id, list, key);
      // Without an id nobody knows what to look for in a record that does not show its words.
      const { id: shown = record.tag } = record;
      judgeCreatedListed(
        tally,
        { ...listed, isComplete: listed.isComplete && shown !== record.tag },
        { ...record, id: shown },
      );
      judgeMadeOnce(session, tally, listed, record);
    });
    if (full === undefined) {
      return;
    }
    if (refusesValues(full.answer) && !(await refusesName(session, id, plain, full))) {
      const lastSent = full.recipe === undefined ? '' : `. ${sayLastSent(id, full.recipe)}`;
      throw new Inconclusive(
        findingOn(full.answer, {
          message: `${id} accepts none of the suite's values for ${names}: ${describeAnswer(full.answer)}`,
          advice: `Add a working body with ${names} for ${id} to your BODIES file${lastSent}`,
        }),
      );
    }
    tally.judge(expectAccepted(full.answer, `${id} failed with ${names}`));
    await tally.inTurn(full.answer.accepted ? live : [], async (key) =>
      judgeAnswer(
        tally,
        id,
        await send(session, id, { key, body: remarked(session, full.body, key.environment) }),
        full,
      ),
    );
  };

/** Fields of documented bodies that name what the account has. */
const namesOfOwn = ['skill', 'product'];

/**
 * Judges the answer to a write that is accepted with the main key. Throws Inconclusive where it is open: which values
 * live data know is, and other clauses judge keys and scopes. A 404 is not, where nothing in the body names anything:
 * neither the user nor the deployment asked for a field of it.
 */
function judgeAnswer(tally: Tally, endpoint: string, answer: Answer, { recipe }: Twin): void {
  const what = `${endpoint} failed with a live key`;
  const isPlain = recipe && !recipe.isUsers && !recipe.mayRefer && !namesOfOwn.some((name) => name in recipe.template);
  if ([400, 401, 403].includes(answer.status) || (answer.status === 404 && !isPlain)) {
    throw undecided(answer, `${what}, perhaps because of its key or its values`);
  }
  tally.judge(expectAccepted(answer, what));
}

// --- Optional fields

/** Values to try in turn for the optional fields of a documented body: the document does not show which they take. */
async function optionalFields(session: Session, endpoint: string): Promise<readonly Body[]> {
  if (endpoint === 'POST /api/v1/content/generate') {
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
