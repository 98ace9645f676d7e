import { at, isObject, type JsonObject, parseJson } from '../../common/json.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { eventKinds } from '../../contract/events.ts';
import type { Exchange } from '../../results/exchange.ts';
import { Inconclusive } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import { describeAnswer, findingOn } from '../engine/expect.ts';
import type { Answer } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import { likelyBodies, likelyValue, nounReferredTo, type Template } from './likely-bodies.ts';
import { fieldsNamed } from './named-fields.ts';
import { nounOf } from './reads.ts';

/** The JSON object that a call sends. */
export type Body = Record<string, unknown>;

/** How a body is made. Its words in double braces are filled for each call. */
export interface Recipe {
  readonly template: Template;
  /** The one field that holds all others; null: none does. */
  readonly wrapper: string | null;
  /** Whether it is the user's: then it is sent as it is. */
  readonly isUsers: boolean;
  /** Whether it is from an OPENAPI document or changed by a refusal: what a field of it refers to may not be found. */
  readonly mayRefer?: boolean;
}

/** How often one likely body is changed as its refusals ask, beside the times that a field is dropped. */
const mostRepairs = 3;

/** Whether a deployment refused the body: with 400, as documented, or with 422. */
export const refusesBody = ({ status }: Pick<Answer, 'status'>): boolean => status === 400 || status === 422;

/** Whether an answer may be due to the body: one that was refused, or the 404 to one with a guessed field. */
export const refusesGuess = (answer: Pick<Answer, 'status'>, { mayRefer }: Pick<Recipe, 'mayRefer'>): boolean =>
  refusesBody(answer) || (mayRefer === true && answer.status === 404);

/** The bodies to try for a call: the user's alone, where BODIES has one; or that of OPENAPI, and then likely ones. */
export function recipesFor(
  { userBodies, documentBodies }: Pick<Session, 'userBodies' | 'documentBodies'>,
  call: string,
): readonly Recipe[] {
  const users = userBodies[call];
  const documented = documentBodies[call];
  if (users !== undefined) {
    return [{ template: users as Template, wrapper: null, isUsers: true }];
  }
  const recipe = { wrapper: null, isUsers: false };
  // What an example refers to may be another deployment's.
  const ofDocument = documented === undefined ? [] : [{ ...recipe, template: documented as Template, mayRefer: true }];
  return [...ofDocument, ...(likelyBodies[call] ?? []).map((template) => ({ ...recipe, template }))];
}

/** The whole body of a recipe. */
export const wrapped = (fields: unknown, wrapper: string | null): unknown =>
  wrapper === null ? fields : { [wrapper]: fields };

/** What came of learning a body: the recipe that was tried last, and whether it was refused for the body. */
export interface Learnt<S> {
  readonly recipe: Recipe;
  readonly sent: S;
  readonly isRefused: boolean;
}

/** How bodies are tried. */
interface Trial<S> {
  readonly send: (recipe: Recipe) => Promise<S>;
  readonly isRefused: (answer: Answer, recipe: Recipe) => boolean;
  /** The id of a record of some noun that a missing field may name: `campaign`; undefined: none is known. */
  readonly idOf?: IdOf;
}

type IdOf = (noun: string) => Promise<unknown>;

/** Whether the texts of a body are in plain letters. */
export const isPlainText = (body: string): boolean => !/[^\x20-\x7e\n]|\\u[0-9a-f]{4}|['<>&]|\\"/i.test(body);

/** Whether the text of a body may be why a call fails: a server, or a firewall, breaks on an emoji or a `<`. */
export const mayBreakOnText = ({ response, failure }: Exchange): boolean =>
  response === null ? failure?.kind === 'closed' : [403, 406, 500, 501].includes(response.status);

/**
 * Tries bodies until one is not refused: else gives the last or, of documented fields, the first, the likeliest. A
 * refusal changes a likely body a few times, and only by names that it states: a missing field is added, an unknown one
 * dropped, all put into the one that is asked for. After a call that may fail for its text comes one in plain letters.
 */
export async function learnBody<S extends { readonly answer: Answer }>(
  call: string,
  recipes: readonly Recipe[],
  { send, isRefused, idOf }: Trial<S>,
): Promise<Learnt<S>> {
  const seen = new Set<string>();
  // Documented fields are not added to, nor dropped.
  const isRepaired = endpointOf(call).body?.some(({ required }) => required) !== true;
  let last: Learnt<S> | null = null;
  for (const first of recipes) {
    let next: Recipe | null = first;
    let repairs = 0;
    while (next !== null && repairs <= mostRepairs && !seen.has(JSON.stringify(next))) {
      const recipe: Recipe = next;
      seen.add(JSON.stringify(recipe));
      const sent = await send(recipe);
      const made = { recipe, sent, isRefused: isRefused(sent.answer, recipe) };
      if (!made.isRefused && (isPlainText(JSON.stringify(recipe.template)) || !mayBreakOnText(sent.answer.exchange))) {
        return made;
      }
      last = isRepaired || last === null ? made : last;
      next = made.isRefused && isRepaired && !recipe.isUsers ? await repaired(call, recipe, sent.answer, idOf) : null;
      // Rust's serde and Go's json name one unknown field at a time: there are no more of them than fields.
      repairs += next !== null && sizeOf(next) < sizeOf(recipe) ? 0 : 1;
    }
  }
  // Each call has a likely body.
  return last as Learnt<S>;
}

const sizeOf = ({ template }: Recipe): number => Object.keys(template).length;

/** Names of fields that hold all others, besides the name of the record. */
const wrapperName = /^(data|fields|properties|attributes|record|resource|item|payload)$/;

/** A recipe with the changes that a refusal names; null: it names none that are possible. */
export async function repaired(
  call: string,
  recipe: Recipe,
  { json, text }: Pick<Answer, 'json' | 'text'>,
  idOf: IdOf = async () => undefined,
): Promise<Recipe | null> {
  const { template, wrapper } = recipe;
  // The documents' envelope has what went wrong beside other texts.
  const named = fieldsNamed({ json: at(json, '/error') ?? json, text }, template);
  const inside = (name: string): string =>
    wrapper !== null && name.startsWith(`${wrapper}.`) ? name.slice(wrapper.length + 1) : name;
  const missing = named.missing.map(inside).filter((name) => !(name in template));
  const asked = missing.find((name) => name === nounOf(call) || wrapperName.test(name));
  if (wrapper === null && asked !== undefined) {
    return { ...recipe, wrapper: asked, mayRefer: true };
  }
  const added: [string, unknown][] = [];
  for (const name of missing.filter((one) => /^\w+$/.test(one) && one !== wrapper)) {
    const noun = nounReferredTo(name);
    const value = likelyValue(call, name) ?? (noun === null ? undefined : await idOf(noun));
    if (value !== undefined) {
      added.push([name, value]);
    }
  }
  const unknown = named.unknown.map(inside);
  const kept = Object.entries(template).filter(([name]) => !unknown.includes(name));
  return added.length === 0 && kept.length === Object.keys(template).length
    ? null
    : { ...recipe, template: Object.fromEntries([...kept, ...added]), mayRefer: true };
}

/** The body of a registration with the events that it asks for; null: it names none. */
export function withEvents(template: Template, events: readonly string[] | null): Template {
  const isOfEvents = (value: unknown): boolean =>
    Array.isArray(value) && value.some((one) => (eventKinds as readonly unknown[]).includes(one));
  return Object.fromEntries(
    Object.entries(template).flatMap(([name, value]): [string, unknown][] =>
      isOfEvents(value) ? (events === null ? [] : [[name, events]]) : [[name, value]],
    ),
  );
}

/** What stands in advice before an entry for BODIES. */
const lastSent = 'The last one that was sent: ';

/** A sentence of advice: the body that was sent last, as an entry for BODIES. */
export const sayLastSent = (call: string, { template, wrapper }: Recipe): string =>
  `${lastSent}${JSON.stringify({ [call]: wrapped(template, wrapper) })}`;

/** The entry for BODIES in the advice of a finding; an empty one where it has none. */
export function entryIn(advice: unknown): JsonObject {
  const at = typeof advice === 'string' ? advice.indexOf(lastSent) : -1;
  const entry = at < 0 ? undefined : parseJson((advice as string).slice(at + lastSent.length));
  return isObject(entry) ? entry : {};
}

/** The error where a deployment refuses all bodies of a call: with its own words, and the lines that would help. */
export function bodyRefused(
  call: string,
  answer: Answer,
  recipe: Recipe,
  { says = 'rejected every body the suite tried', ...more }: Partial<Finding> & { says?: string } = {},
): Inconclusive {
  const came = describeAnswer(answer);
  const what = recipe.isUsers ? 'rejected the body in your BODIES file' : says;
  const expected = 'a body that the deployment accepts';
  const message = `${call} ${what}: ${came}`;
  const advice = recipe.isUsers
    ? `Correct the body of ${call} in your BODIES file`
    : `Add a working body for ${call} to your BODIES file. ${sayLastSent(call, recipe)}`;
  return new Inconclusive(findingOn(answer, { message, expected, actual: came, advice, ...more }));
}

type Refusal = Pick<Answer, 'status' | 'json'>;

/** Words of a refusal because an account is full. */
const wordsOfFullAccount = /limit|maxim|quota|too many|at most|no more|exceed|reached|\bplan\b/i;

/** Whether a creation was refused, in words, for a full account. */
export const saysFullInWords = ({ status, json }: Refusal): boolean =>
  [400, 402, 403, 409].includes(status) && wordsOfFullAccount.test(JSON.stringify(at(json, '/error')) ?? '');

/** The same, or by a status that the creation of a key, which has a name of its own, gets for nothing else. */
export const saysFull = (answer: Refusal): boolean =>
  [402, 409, 429].includes(answer.status) || saysFullInWords(answer);

/** Throws Inconclusive where a creation was refused for a full account: that does not show whether creation works. */
export function assertNotFull(answer: Answer, noun: string, isFull: (answer: Refusal) => boolean = saysFull): void {
  if (isFull(answer)) {
    const actual = describeAnswer(answer);
    const message = `No ${noun} can be created: the account seems to be full: ${actual}`;
    throw new Inconclusive(
      findingOn(answer, { message, expected: '2xx', actual, advice: `Delete unused ${noun}s and run again` }),
    );
  }
}
