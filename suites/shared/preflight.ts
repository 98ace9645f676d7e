import { CannotRun } from '../../common/cannot-run.ts';
import { at, isObject } from '../../common/json.ts';
import { shorten } from '../../common/redact.ts';
import type { Api as ApiName } from '../../contract/clause.ts';
import { cannotReach, withoutUser } from '../../settings/advice.ts';
import { urlSettings } from '../../settings/target.ts';
import { resultOrNull } from '../engine/parts.ts';
import type { Answer } from '../session/answer.ts';
import type { ApiKey } from '../session/key.ts';
import { mainKeys } from '../session/keys.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { isPlainRead, read } from './reads.ts';

/**
 * Tries whether the target is up, speaks TLS as asked to, is the API, and takes each given key, so that there is a deployment
 * whose clauses can be judged. Only what all probes agree on counts: a single broken endpoint is a matter of its clause.
 * Takes no longer than TIMEOUT_MS; the checks go on using its answers. Throws CannotRun: one line that names the setting
 * to look at.
 */
export async function preflight(session: Session): Promise<void> {
  const [main, ...further] = mainKeys(session);
  if (main === undefined) {
    return;
  }
  const others = further.map((key) => probe(session, key));
  judge(session, main, await probe(session, main));
  for (const [index, key] of further.entries()) {
    const answers = (await others[index]) ?? [];
    if (answers.length > 1 && answers.every(isRefused)) {
      throw refused(key, answers);
    }
  }
}

/**
 * The answer to the first probe and, where that is not a good one that came soon, to the others too, in the other documented
 * ways of sending a key as well: a broken way is one clause's fault, and no wrong key; and where none of them is JSON, to every
 * read. Those that come in time.
 */
async function probe(session: Session, key: ApiKey): Promise<readonly Answer[]> {
  const { clock, settings, api } = session;
  const [usual, ...otherModes] = api.keyModes;
  const [first = '', ...others] = api.probes;
  const answers: Answer[] = [];
  const ask = async (call: Promise<Answer>): Promise<void> => {
    const answer = await resultOrNull(call);
    answers.push(...(answer === null ? [] : [answer]));
  };
  const deadline = clock.sleep(settings.TIMEOUT_MS + 100);
  const asked = ask(read(session, first, { key, mode: usual }));
  await Promise.race([asked, clock.sleep(settings.TIMEOUT_MS / 4)]);
  if (!answers.some((one) => isGood(one) && !isOfOther(session, one))) {
    // Sent by themselves: what a check prepares before it reads is not done while the target is in doubt.
    const further = [
      ...others.map((endpoint) => send(session, endpoint, { key, mode: usual })),
      ...otherModes.map((mode) => send(session, first, { key, mode })),
    ];
    await Promise.race([Promise.all([asked, ...further.map(ask)]), deadline]);
  }
  if (answers.length > 0 && !answers.some(isApi)) {
    // Of a deployment that is half built one read may work: that is the API.
    const rest = api.endpoints.filter((one) => isPlainRead(one) && ![first, ...others].includes(one.id));
    await Promise.race([Promise.all(rest.map(({ id }) => ask(send(session, id, { key, mode: usual })))), deadline]);
  }
  return [...answers];
}

const isRefused = ({ status }: Answer): boolean => status === 401;
const isApi = ({ json }: Answer): boolean => typeof json === 'object' && json !== null;
const isGood = (answer: Answer): boolean => isApi(answer) && !isRefused(answer);

/** Whose errors an answer has the form of: the envelope of the one document, or the error object of the other; null: of neither. */
function errorOf({ status, json }: Answer): ApiName | null {
  if (status < 400) {
    return null;
  }
  if (at(json, '/success') === false && isObject(at(json, '/meta'))) {
    return 'developer';
  }
  return at(json, '/error/status') === status && at(json, '/success') === undefined ? 'workspace' : null;
}

const isOfOther = ({ api }: Session, answer: Answer): boolean => ![null, api.name].includes(errorOf(answer));

function judge(session: Session, key: ApiKey, answers: readonly Answer[]): void {
  const [first] = answers;
  if (first !== undefined && answers.every((answer) => isOfOther(session, answer))) {
    throw otherApi(session, first);
  }
  if (first === undefined || answers.some(isGood)) {
    return;
  }
  const answered = answers.find(({ status }) => status !== 0);
  if (answered === undefined) {
    throw new CannotRun(oneLine(cannotReach(urlSettings[session.api.name], session.origin, first.exchange.failure)));
  }
  if (!answers.some(isApi)) {
    throw new CannotRun(noApi(session, answered));
  }
  const refusals = answers.filter(isRefused);
  if (refusals.length > 1) {
    throw refused(key, refusals);
  }
}

function noApi(session: Session, answer: Answer): string {
  const { name, root } = session.api;
  const elsewhere = movedTo(session, answer);
  const advice =
    elsewhere === null
      ? `set ${urlSettings[name]} to the origin under which ${root} lies`
      : `set ${urlSettings[name]} to ${elsewhere}`;
  return oneLine(
    `Cannot find the ${name} API at ${targetOf(session)}: ${answer.status} with ${kindOf(answer)} on every documented ` +
      `read; ${answer.status >= 500 ? `start the deployment, or ${advice}` : advice}`,
  );
}

/** The origin that the same call is redirected to: one of https, most often. */
function movedTo({ origin }: Session, answer: Answer): string | null {
  const path = answer.exchange.request.url.slice(origin.length).replace(/[?#].*/, '');
  const place = (answer.header('Location') ?? '').replace(/[?#].*/, '');
  return URL.canParse(place) && place.endsWith(path) ? withoutUser(place.slice(0, -path.length)) : null;
}

/** A slip of whoever wrote the settings: the two URLs are easily taken for each other. */
function otherApi(session: Session, answer: Answer): CannotRun {
  const { name } = session.api;
  const other = name === 'developer' ? 'workspace' : 'developer';
  return new CannotRun(
    oneLine(
      `Cannot find the ${name} API at ${targetOf(session)}: all documented calls fail there with errors of the ${other} ` +
        `API (${answer.status} on ${answer.exchange.endpoint}); set ${urlSettings[other]} to it, ` +
        `and ${urlSettings[name]} to the origin of the ${name} API`,
    ),
  );
}

function kindOf(answer: Answer): string {
  if (answer.status >= 300 && answer.status < 400) {
    return `a redirect to ${withoutUser(answer.header('Location') ?? 'nowhere')}`;
  }
  const type = (answer.header('Content-Type') ?? 'no content type').split(';')[0]?.trim() ?? '';
  const title = /<title[^>]*>([^<]{1,60})/i.exec(answer.text.slice(0, 4_000))?.[1]?.trim();
  if (/html/i.test(type) || title !== undefined) {
    return `an HTML page${title ? ` titled "${title}"` : ''}`;
  }
  return `no JSON (${type})`;
}

const refused = (key: ApiKey, answers: readonly Answer[]): CannotRun =>
  new CannotRun(
    oneLine(
      `Cannot use ${key.label}: ${shorten(key.secret)} is refused with 401 on ` +
        `${[...new Set(answers.map(({ exchange }) => exchange.endpoint))].join(', ')}; ` +
        `set ${key.label} to a key that the deployment knows`,
    ),
  );

const targetOf = ({ api, origin }: Session): string => `${urlSettings[api.name]} ${withoutUser(origin)}`;

const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 600);
