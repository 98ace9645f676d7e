import { CannotRun } from '../../common/cannot-run.ts';
import { shorten } from '../../common/redaction/key-like.ts';
import { firstOf } from '../../common/words.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { type Exchange, headerOf } from '../../results/exchange.ts';
import { intermediaryOf, isOutside, isOwnError } from '../../results/likely-cause.ts';
import { cannotReach, urlSettings, withoutUser } from '../../settings/target.ts';
import { resultOrNull } from '../engine/check.ts';
import { isPlainRead, read } from '../records/reads.ts';
import { type Answer, type ApiKey, callOf } from '../session/call.ts';
import { mostWindows } from '../session/pace/pacer.ts';
import { mainKeys, type Session, send } from '../session/session.ts';

/**
 * Checks that the target answers, is the API, and accepts each given key. Only what all probes agree on counts, since a
 * single broken endpoint is for its own clause. Takes no longer than TIMEOUT_MS; the checks use its answers later.
 * Throws CannotRun, with one line that names the setting to look at.
 */
export async function preflight(session: Session): Promise<void> {
  const [main, ...others] = mainKeys(session);
  if (main === undefined) {
    return;
  }
  const probed = others.map(async (key) => ({ key, answers: await probe(session, key) }));
  assertUsable(session, main, await probe(session, main));
  for (const one of probed) {
    const { key, answers } = await one;
    if (answers.length > 1 && answers.every(isRefused)) {
      throw refusedKey(session, key, answers);
    }
  }
}

/**
 * The answers to a key's probes that come in time. The first probe does where its answer is good and comes soon.
 * Otherwise the other probes are sent, and the first in the other documented ways of sending a key: a broken way is one
 * clause's fault, and the key is not wrong. Where no answer is JSON, every read is sent.
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
  if (session.evidence.exchanges.some(isBarred)) {
    const now = others.map((id) => resultOrNull(session.client.sendNow(callOf(endpointOf(id), key, { mode: usual }))));
    return (await Promise.all(now)).filter((answer) => answer !== null);
  }
  if (!answers.some((one) => isGood(one) && isOfApi(session, one) && !api.other.hasRefused(one))) {
    // Not through `read`, which would prepare the reads: that has to wait until the target is known to be the API.
    const further = [
      ...others.map((endpoint) => send(session, endpoint, { key, mode: usual })),
      ...otherModes.map((mode) => send(session, first, { key, mode })),
    ];
    await Promise.race([Promise.all([asked, ...further.map(ask)]), deadline]);
  }
  if (answers.length > 0 && !answers.some((one) => isOfApi(session, one) || (isApi(one) && isRefused(one)))) {
    // In a deployment that is half built, only one read may work: it is the API all the same.
    const rest = api.endpoints.filter((one) => isPlainRead(one) && ![first, ...others].includes(one.id));
    await Promise.race([Promise.all(rest.map(({ id }) => ask(send(session, id, { key, mode: usual })))), deadline]);
  }
  return [...answers];
}

/** From this many seconds on, Retry-After asks for more than a run waits for a limit of a minute. */
const farOff = 60 * mostWindows;

/** Whether somebody in front of the API limits calls, for longer than a run waits. */
const isBarred = (exchange: Exchange): boolean =>
  exchange.response?.status === 429 &&
  isOutside(exchange) &&
  Number(headerOf(exchange.response.headers, 'Retry-After')) > farOff;

const isRefused = ({ status }: Answer): boolean => status === 401;
const isApi = ({ json }: Answer): boolean => typeof json === 'object' && json !== null;
const isGood = (answer: Answer): boolean => isApi(answer) && !isRefused(answer);

/** Whether an answer may be the API's: JSON and, where it is a refusal, in the API's form of errors. */
const isOfApi = ({ api }: Session, answer: Answer): boolean =>
  isApi(answer) && (answer.status < 400 || isOwnError(api.name, answer.json));

/** Throws CannotRun where the answers to the main key show a target that cannot be judged. */
function assertUsable(session: Session, key: ApiKey, answers: readonly Answer[]): void {
  const { name, other } = session.api;
  const [asked] = answers;
  if (asked === undefined) {
    return;
  }
  const first = answers.find(({ status }) => status !== 0);
  if (first === undefined) {
    throw cannotRun(cannotReach(urlSettings[name], session.origin, asked.exchange.failure));
  }
  if (answers.every(other.hasRefused)) {
    throw cannotFind(
      session,
      `it answers like the ${other.name} API (${first.status} on ${first.exchange.endpoint}); ` +
        `set ${urlSettings[other.name]} to it, and ${urlSettings[name]} to the origin of the ${name} API`,
    );
  }
  // One refusal that is not in the API's form: somebody in between knows no such route.
  const isOneRefusal = answers.every((one) => one.status === first.status && !isOfApi(session, one));
  if ((isOneRefusal && !isRefused(first)) || !answers.some(isApi)) {
    throw noApi(session, first);
  }
  const refusals = answers.filter(isRefused);
  if (!answers.some(isGood) && refusals.length > 1) {
    throw refusedKey(session, key, refusals);
  }
}

/** The error on one line. */
const cannotRun = (text: string): CannotRun => {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return new CannotRun(line.slice(0, 600));
};

const cannotFind = ({ api, origin }: Session, why: string): CannotRun =>
  cannotRun(`Cannot find the ${api.name} API at ${urlSettings[api.name]} ${withoutUser(origin)}: ${why}`);

function noApi(session: Session, answer: Answer): CannotRun {
  const { name, root } = session.api;
  const called = answer.exchange.request.url.replace(/[?#].*/, '');
  const location = answer.header('Location');
  // Where the call is redirected to, without what follows the path.
  const place = (location && URL.parse(location, called)?.href.replace(/[?#].*/, '')) ?? '';
  const path = called.slice(session.origin.length);
  // Most often from http to https.
  const origin = place.endsWith(path) ? withoutUser(place.slice(0, -path.length)) : `the origin that serves ${root}`;
  const advice = `set ${urlSettings[name]} to ${origin}`;
  const pause = answer.status === 429 ? 'run again when its limits admit calls' : undefined;
  const start = answer.status >= 500 ? 'start the deployment' : pause;
  const got = `every documented read got ${answer.status} with ${kindOf(answer)}`;
  return cannotFind(session, `${got}; ${toDo(answer, advice, start)}`);
}

/** What to do: what the intermediary that answered needs or, failing that, `first`; or else `advice`. */
function toDo({ exchange: { response } }: Answer, advice: string, first?: string): string {
  const before = (response && intermediaryOf(response)) ?? first;
  return before === undefined ? advice : `${before}, or ${advice}`;
}

/** What an answer that is not the API's is, in words. */
function kindOf(answer: Answer): string {
  if (answer.status >= 300 && answer.status < 400) {
    return `a redirect to ${withoutUser(answer.header('Location') ?? 'nowhere')}`;
  }
  const type = (answer.header('Content-Type') ?? 'no content type').split(';')[0]?.trim() ?? '';
  const title = /<(?:title|h1)[^>]*>([^<]{1,60})/i.exec(answer.text.slice(0, 4_000))?.[1]?.trim();
  if (title !== undefined || (/html/i.test(type) && answer.text.includes('<'))) {
    return `an HTML page${title ? ` titled "${title}"` : ''}`;
  }
  const quoted = answer.text.slice(0, 200);
  return isApi(answer) ? quoted : `no JSON (${type}${quoted.trim() === '' ? '' : `: ${quoted}`})`;
}

function refusedKey({ api }: Session, key: ApiKey, answers: readonly Answer[]): CannotRun {
  const [first] = answers as readonly [Answer, ...Answer[]];
  const quoted = isOwnError(api.name, first.json) ? '' : ` (${kindOf(first)})`;
  const calls = firstOf([...new Set(answers.flatMap(({ exchange }) => exchange.endpoint ?? []))], 4);
  const advice = toDo(first, `set ${key.label} to a key that the deployment knows`);
  return cannotRun(
    `Cannot use ${key.label}: ${shorten(key.secret)} is refused with 401${quoted} on ${calls}; ${advice}`,
  );
}
