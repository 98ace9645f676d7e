import { shorten } from '../../common/redact.ts';
import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import type { Failure } from '../../results/exchange.ts';
import { CannotRun, Inconclusive, Skipped } from '../../results/stop.ts';
import type { Target } from '../../settings/target.ts';
import { type Answer, callOf } from './call.ts';
import type { ApiKey } from './key.ts';
import type { Session } from './session.ts';

/**
 * Calls that any key with all scopes may make, and whose answers nothing that a run creates can change, so that the
 * suites go on using them. The first two are sent at once; the third only where neither of them answers as an API does.
 */
const probes: Readonly<Record<Target['api'], readonly string[]>> = {
  developer: ['GET /api/v1/platform/me', 'GET /api/v1/platform/me/subscriptions', 'GET /api/v1/developer/keys'],
  workspace: ['GET /v1/agents', 'GET /v1/leads', 'GET /v1/bookings'],
};

const endpoints = new Map([...developerEndpoints, ...workspaceEndpoints].map((endpoint) => [endpoint.id, endpoint]));

/**
 * Tells a target that is down, does not speak TLS as it is asked to, is no API, or refuses a given key, from a deployment
 * whose clauses can be judged. Only what all probes agree on counts: a single broken endpoint is a matter of its clause.
 * Takes no longer than TIMEOUT_MS. Throws CannotRun: one line that names the setting to look at.
 */
export async function preflight(session: Session, target: Target): Promise<void> {
  const [main, ...further] = keysOf(session);
  if (!main) {
    return;
  }
  const deadline = session.clock.sleep(session.settings.TIMEOUT_MS + 100).then(() => null);
  const within = (work: Promise<Answer[]>): Promise<Answer[] | null> => Promise.race([work, deadline]);
  const others = further.map((key) => within(tried(session, target, key, 1)));
  const answers = await within(tried(session, target, main, 2));
  if (answers !== null) {
    await judge(session, target, main, answers);
  }
  for (const [index, key] of further.entries()) {
    const own = await others[index];
    if (own && own.length > 1 && own.every(isRefused)) {
      throw refused(key, own);
    }
  }
}

/** The keys that must open the API, the one that the run is made with first. */
function keysOf({ api, settings }: Session): ApiKey[] {
  const given =
    api === 'workspace'
      ? ([['WORKSPACE_API_KEY', 'workspace']] as const)
      : ([
          ['SANDBOX_API_KEY', 'sandbox'],
          ['LIVE_API_KEY', 'live'],
        ] as const);
  return given.flatMap(([label, environment]) => {
    const secret = settings[label];
    return secret === undefined ? [] : [{ secret, label, environment, origin: 'given' as const }];
  });
}

/** The answers to the first probes, and, where none of them is a good one and time is left, to the others as well. */
async function tried(session: Session, { api }: Target, key: ApiKey, atOnce: number): Promise<Answer[]> {
  const all = probes[api].flatMap((id) => endpoints.get(id) ?? []);
  const send = async (some: readonly Endpoint[]): Promise<Answer[]> =>
    (await Promise.all(some.map((endpoint) => probe(session, endpoint, key)))).filter((answer) => answer !== null);
  const began = session.clock.now();
  const first = await send(all.slice(0, atOnce));
  const late = session.clock.now() - began > session.settings.TIMEOUT_MS / 2;
  return first.some(isGood) || first.length === 0 || late ? first : [...first, ...(await send(all.slice(atOnce)))];
}

/** Under the names under which the suites make the same calls, so that these are not sent again. */
async function probe(session: Session, endpoint: Endpoint, key: ApiKey): Promise<Answer | null> {
  const main = keysOf(session)[0]?.label === key.label;
  try {
    return await session.once(main ? endpoint.id : `${endpoint.id} as ${key.label}`, () =>
      session.client.send(callOf(endpoint, key)),
    );
  } catch (error) {
    if (error instanceof Skipped || error instanceof Inconclusive) {
      return null;
    }
    throw error;
  }
}

const isRefused = (answer: Answer): boolean => answer.status === 401;
const isApi = (answer: Answer): boolean =>
  answer.status !== 0 && typeof answer.json === 'object' && answer.json !== null;
const isGood = (answer: Answer): boolean => isApi(answer) && !isRefused(answer);

async function judge(session: Session, target: Target, key: ApiKey, answers: readonly Answer[]): Promise<void> {
  const [first] = answers;
  if (!first || answers.some(isGood)) {
    return;
  }
  const silent = answers.filter(({ status }) => status === 0);
  if (silent.length === answers.length) {
    throw new CannotRun(unreachable(target, silent[0]?.exchange.failure ?? null));
  }
  if (!answers.some(isApi)) {
    throw new CannotRun(noApi(target, answers.find(({ status }) => status !== 0) ?? first));
  }
  if (answers.filter(isRefused).length > 1 && !(await opensOtherwise(session, key))) {
    throw refused(key, answers.filter(isRefused));
  }
}

/** Whether the key opens the developer API in the query: then it is no wrong key, and header mode is at fault. */
async function opensOtherwise(session: Session, key: ApiKey): Promise<boolean> {
  const endpoint = endpoints.get(probes.developer[0] ?? '');
  if (session.api !== 'developer' || !endpoint) {
    return false;
  }
  const answer = await session.client.send(callOf(endpoint, key, { mode: 'query' }));
  return isGood(answer);
}

function unreachable({ setting, origin }: Target, failure: Failure | null): string {
  const advice =
    failure?.kind === 'tls'
      ? `correct ${setting}, or name the authority's certificate in NODE_EXTRA_CA_CERTS`
      : `start the deployment, or correct ${setting}${failure?.kind === 'timeout' ? ' or TIMEOUT_MS' : ''}`;
  return oneLine(`Cannot reach ${setting} ${withoutUser(origin)}: ${failure?.message ?? 'no answer'}; ${advice}`);
}

function noApi({ setting, origin, api }: Target, answer: Answer): string {
  const type = (answer.header('Content-Type') ?? 'no content type').split(';')[0]?.trim() ?? '';
  const title = /<title[^>]*>([^<]{1,60})/i.exec(answer.exchange.response?.text ?? '')?.[1]?.trim();
  const what =
    answer.status >= 300 && answer.status < 400
      ? `a redirect to ${withoutUser(answer.header('Location') ?? 'nowhere')}`
      : /html/i.test(type) || title !== undefined
        ? `an HTML page${title ? ` titled "${title}"` : ''}`
        : `no JSON (${type})`;
  const path = api === 'developer' ? '/api/v1' : '/v1';
  return oneLine(
    `Cannot find the ${api} API at ${setting} ${withoutUser(origin)}: ${answer.status} with ${what} on several documented calls; ` +
      `set ${setting} to the origin under which ${path} lies`,
  );
}

const refused = (key: ApiKey, answers: readonly Answer[]): CannotRun =>
  new CannotRun(
    oneLine(
      `Cannot use ${key.label}: ${shorten(key.secret)} is refused with 401 on ${answers.map(({ exchange }) => exchange.endpoint).join(', ')}; ` +
        `set ${key.label} to a key that the deployment knows`,
    ),
  );

/** A URL may carry a password. */
const withoutUser = (origin: string): string => origin.replace(/\/\/[^/@]*@/, '//…@');

const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 600);
