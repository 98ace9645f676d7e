import { SaxesParser } from 'saxes';
import { createReference } from '../../fixtures/reference/deployment.ts';
import { type Ended, start } from '../../selftest/e2e/run-suite.ts';
import { goodAnswers, leaks } from '../../selftest/robust/try-client.ts';
import { type Behaviour, bytesOf, type Good } from './behaviour.ts';
import { hostileServer } from './server.ts';

/** The first calls get good answers, so that the run gets beyond its preflight; then every second one does not. */
const [wellBehaved, everySo] = [8, 2];
const mostMs = 180_000;

const sometimes =
  (behave: Behaviour): Behaviour =>
  (socket, good: Good, asked) => {
    if (asked.number > wellBehaved && asked.number % everySo === 0) {
      behave(socket, good, asked);
    } else {
      socket.write(bytesOf(good, good.body));
    }
  };

/**
 * The part of the suite that is run: some of the developer API, that about webhooks, or everything with EXHAUST=all.
 */
export type Scope = 'developer' | 'webhooks' | 'all';
const parts: Readonly<Record<Scope, string>> = {
  developer: 'developer.(auth|envelope|keys|ads|errors)',
  webhooks: 'workspace.(webhooks|events|bookings|responses)',
  all: '',
};

/**
 * Runs the suite as `npm test` does, against a server that behaves so in some answers: without good ones, little would
 * be judged.
 */
export async function trySuite(behave: Behaviour, scope: Scope): Promise<readonly string[]> {
  const reference = createReference({ seed: 3, clockSpeed: 600 });
  const given = Object.entries(reference.settings).filter(([name]) => /^(?!ENTERPRISE).*_KEY$/.test(name));
  const keys = given.filter(([name]) => scope === 'all' || name.startsWith('WORKSPACE') === (scope === 'webhooks'));
  const valid = new Set(keys.map(([, key]) => key));
  const answer = goodAnswers(reference);
  const server = await hostileServer(scope === 'webhooks' ? behave : sometimes(behave), async (asked) => {
    const good = await answer(asked);
    if (good.status < 300) {
      valid.add(asked.key);
    }
    return good;
  });
  const { child, ended: running } = start('cli/test.ts', scope === 'all' ? [] : ['-t', parts[scope]], {
    ...Object.fromEntries(keys),
    ...(scope === 'webhooks' ? {} : { BASE_URL: server.origin }),
    ...(scope === 'developer' ? {} : { WORKSPACE_API_URL: server.origin }),
    ...{ WRITES: 'all', EXHAUST: scope === 'all' ? 'all' : 'own' },
    ...{ TIMEOUT_MS: '800', CLOCK_SPEED: '600', KEY_SETTLE_MS: '50', EVENT_WAIT_MS: '1000' },
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), mostMs);
  try {
    const ended = await running;
    const strayed = server.strayed() > 0 ? ['it went to another host'] : [];
    return [...troublesOf(ended), ...leaksIn(ended, [...valid]), ...strayed];
  } finally {
    clearTimeout(timer);
    await server.close();
  }
}

function troublesOf({ code, signal, stdout, stderr, reports }: Ended): string[] {
  const json = parsed(reports.get('conformance.json') ?? '');
  const broken = json?.clauses.filter(
    ({ verdict, findings }) => verdict === 'broken' && !/has no check/.test(findings[0]?.message ?? ''),
  );
  const page = reports.get('conformance.html') ?? '';
  const console = stdout + stderr;
  return [
    ...(signal === null && [0, 1, 2].includes(code ?? -1) ? [] : [`ended with ${signal ?? code}`]),
    ...(json?.exitCode === code ? [] : ['conformance.json says another exit status']),
    ...(broken?.map(({ id, findings }) => `${id} is broken: ${findings[0]?.message.slice(0, 200)}`) ?? []),
    ...(isWellFormed(reports.get('junit.xml') ?? '') ? [] : ['junit.xml is not well-formed']),
    ...(/<script>alert|<img src=x/.test(page) ? ["the page holds the deployment's markup"] : []),
    ...(/^(::|##)/m.test(console) ? ['a line of the console is a command to a CI runner'] : []),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the search is for control characters
    ...(/\u001b\[[12][AJK]|\u001b\]/.test(console) ? ['the console holds escape sequences'] : []),
  ];
}

interface Report {
  readonly exitCode: number;
  readonly clauses: readonly { id: string; verdict: string; findings: readonly { message: string }[] }[];
}

function parsed(text: string): Report | null {
  try {
    return JSON.parse(text) as Report;
  } catch {
    return null;
  }
}

function isWellFormed(text: string): boolean {
  try {
    new SaxesParser().write(text).close();
    return text !== '';
  } catch {
    return false;
  }
}

const leaksIn = ({ stdout, stderr, reports }: Ended, secrets: readonly string[]): string[] =>
  [['console', stdout + stderr] as const, ...reports].flatMap(([name, text]) =>
    secrets.flatMap((secret) => leaks(text, secret).map((run) => `${name} shows ${run}`)),
  );
