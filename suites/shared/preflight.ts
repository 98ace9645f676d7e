import { shorten } from '../../common/redact.ts';
import type { Failure } from '../../results/exchange.ts';
import { CannotRun } from '../../results/stop.ts';
import { urlSettings } from '../../settings/target.ts';
import { resultOrNull } from '../engine/parts.ts';
import type { Answer } from '../session/answer.ts';
import type { ApiKey } from '../session/key.ts';
import { mainKeys } from '../session/keys.ts';
import type { Session } from '../session/session.ts';
import { read } from './reads.ts';

/**
 * Tells a target that is down, does not speak TLS as it is asked to, is no API, or refuses a given key, from a deployment
 * whose clauses can be judged. Only what all probes agree on counts: a single broken endpoint is a matter of its clause.
 * Takes no longer than TIMEOUT_MS; the checks go on using its answers. Throws CannotRun: one line that names the setting
 * to look at.
 */
export async function preflight(session: Session): Promise<void> {
  const [main, ...further] = mainKeys(session);
  if (main === undefined) {
    return;
  }
  const deadline = session.clock.sleep(session.settings.TIMEOUT_MS + 100).then(() => null);
  const within = (work: Promise<Answer[]>): Promise<Answer[] | null> => Promise.race([work, deadline]);
  const others = further.map((key) => within(probe(session, key, 1)));
  judge(session, main, (await within(probe(session, main, 2))) ?? []);
  for (const [index, key] of further.entries()) {
    const answers = (await others[index]) ?? [];
    if (answers.length > 1 && answers.every(isRefused)) {
      throw refused(key, answers);
    }
  }
}

/**
 * The answers to the first probes, which are sent at once, and, where none of them is a good one and time is left, to the
 * others too, in the other documented ways of sending a key as well: a broken way is one clause's fault, and no wrong key.
 */
async function probe(session: Session, key: ApiKey, atOnce: number): Promise<Answer[]> {
  const { probes, keyModes } = session.api;
  const send = async (endpoints: readonly string[], mode = keyModes[0]): Promise<Answer[]> => {
    const answers = endpoints.map((endpoint) => resultOrNull(read(session, endpoint, { key, mode })));
    return (await Promise.all(answers)).filter((answer) => answer !== null);
  };
  const began = session.clock.now();
  const first = await send(probes.slice(0, atOnce));
  const isLate = session.clock.now() - began > session.settings.TIMEOUT_MS / 2;
  if (first.some(isGood) || first.length === 0 || isLate) {
    return first;
  }
  const rest = await send(probes.slice(atOnce));
  const otherwise = await Promise.all(keyModes.slice(1).map((mode) => send(probes.slice(0, 1), mode)));
  return [...first, ...rest, ...otherwise.flat()];
}

const isRefused = ({ status }: Answer): boolean => status === 401;
const isApi = ({ json }: Answer): boolean => typeof json === 'object' && json !== null;
const isGood = (answer: Answer): boolean => isApi(answer) && !isRefused(answer);

function judge(session: Session, key: ApiKey, answers: readonly Answer[]): void {
  const [first] = answers;
  if (first === undefined || answers.some(isGood)) {
    return;
  }
  const answered = answers.find(({ status }) => status !== 0);
  if (answered === undefined) {
    throw new CannotRun(unreachable(session, first.exchange.failure));
  }
  if (!answers.some(isApi)) {
    throw new CannotRun(noApi(session, answered));
  }
  const refusals = answers.filter(isRefused);
  if (refusals.length > 1) {
    throw refused(key, refusals);
  }
}

function unreachable(session: Session, failure: Failure | null): string {
  const setting = urlSettings[session.api.name];
  const advice =
    failure?.kind === 'tls'
      ? `correct ${setting}, or name the authority's certificate in NODE_EXTRA_CA_CERTS`
      : `start the deployment, or correct ${setting}${failure?.kind === 'timeout' ? ' or TIMEOUT_MS' : ''}`;
  return oneLine(`Cannot reach ${targetOf(session)}: ${failure?.message ?? 'no answer'}; ${advice}`);
}

function noApi(session: Session, answer: Answer): string {
  const { name, root } = session.api;
  return oneLine(
    `Cannot find the ${name} API at ${targetOf(session)}: ${answer.status} with ${kindOf(answer)} on several documented ` +
      `calls; set ${urlSettings[name]} to the origin under which ${root} lies`,
  );
}

function kindOf(answer: Answer): string {
  if (answer.status >= 300 && answer.status < 400) {
    return `a redirect to ${withoutUser(answer.header('Location') ?? 'nowhere')}`;
  }
  const type = (answer.header('Content-Type') ?? 'no content type').split(';')[0]?.trim() ?? '';
  const title = /<title[^>]*>([^<]{1,60})/i.exec(answer.text)?.[1]?.trim();
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

/** A URL may carry a password. */
const withoutUser = (origin: string): string => origin.replace(/\/\/[^/@]*@/, '//…@');

const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 600);
