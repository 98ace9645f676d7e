import { parseArgs } from 'node:util';
import { CannotRun } from '../common/cannot-run.ts';
import { secretFrom } from '../settings/secret-from.ts';
import { checkReceiver } from '../webhooks/receiver/check.ts';
import { consoleTable } from '../webhooks/receiver/console.ts';
import { createKit } from '../webhooks/receiver/probe.ts';
import { createSender } from '../webhooks/receiver/send.ts';
import { hideSecret } from '../webhooks/signature/offline.ts';
import { isPreset, presets } from '../webhooks/signature/presets.ts';
import { deriveKey } from '../webhooks/signature/read/keys.ts';
import type { Scheme } from '../webhooks/signature/scheme.ts';
import { parseScheme } from '../webhooks/signature/scheme-file.ts';
import { obstacleToSigning } from '../webhooks/signature/sign.ts';
import { readNamedFile } from './read-file.ts';
import { withoutDebug } from './without-debug.ts';

const usage = `npm run receiver -- URL --scheme NAME|FILE.json --secret-from NAME [options]

Sends a webhook receiver of yours validly signed, tampered, unsigned, wrongly keyed, cut, stale and replayed deliveries, and
says which it wrongly accepts or refuses. Sends to URL only.
  --scheme NAME          ${Object.keys(presets).join(', ')}
  --scheme FILE.json     a scheme that npm run signature -- FILE --secret-from NAME --json has printed
  --secret-from NAME     environment variable (or name in .env) that holds the receiver's secret
  --registered-url URL   the URL that the receiver believes it has, where its scheme signs it
  --header "Name: value" a header to add; may be repeated
  --body FILE            a payload that the receiver takes, where it refuses the built-in one
  --timeout MS           how long one answer may take, in milliseconds (10000)
  --json                 prints the report as JSON
Exit status: 0 it verifies, 1 it does not, 2 it cannot be decided.`;

interface Given {
  readonly url: string;
  readonly scheme: Scheme;
  readonly schemeName: string;
  readonly secretName: string | undefined;
  readonly registeredUrl: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | undefined;
  readonly timeoutMs: number;
  readonly json: boolean;
}

const options = {
  scheme: { type: 'string' },
  'secret-from': { type: 'string' },
  'registered-url': { type: 'string' },
  header: { type: 'string', multiple: true, default: [] as string[] },
  body: { type: 'string' },
  timeout: { type: 'string', default: '10000' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function parse(
  args: string[],
): ReturnType<typeof parseArgs<{ args: string[]; allowPositionals: true; options: typeof options }>> {
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new CannotRun(
      `Cannot use the command line: ${error instanceof Error ? error.message.split('\n')[0] : ''}; see npm run receiver -- --help`,
    );
  }
}

/** The words of the command line. Throws CannotRun. */
function readArguments(args: string[]): Given | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) {
    return 'help';
  }
  const url = httpUrl(positionals[0], 'the receiver: give its URL first');
  if (positionals.length > 1) {
    throw new CannotRun(`Cannot check ${positionals.length} receivers: give one URL`);
  }
  const timeoutMs = Number(values.timeout);
  if (!(timeoutMs >= 1 && timeoutMs <= 60_000)) {
    throw new CannotRun('Cannot use --timeout: it must be from 1 to 60000 milliseconds');
  }
  return {
    url,
    timeoutMs,
    scheme: readScheme(values.scheme),
    schemeName: values.scheme ?? '',
    secretName: values['secret-from'],
    json: values.json,
    registeredUrl: values['registered-url'] === undefined ? url : httpUrl(values['registered-url'], '--registered-url'),
    headers: values.header.map(readHeader),
    body: values.body === undefined ? undefined : readSmall(values.body),
  };
}

function httpUrl(text: string | undefined, what: string): string {
  if (text === undefined || !URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new CannotRun(`Cannot use ${what}: an absolute http or https URL is needed`);
  }
  if (new URL(text).username !== '' || new URL(text).password !== '') {
    throw new CannotRun(`Cannot use ${what}: put user and password into --header "Authorization: …"`);
  }
  return text;
}

function readScheme(name: string | undefined): Scheme {
  if (name === undefined) {
    throw new CannotRun(`Cannot check without a scheme: --scheme ${Object.keys(presets).join('|')}|FILE.json`);
  }
  if (isPreset(name)) {
    return presets[name];
  }
  if (!name.endsWith('.json')) {
    throw new CannotRun(`Cannot use --scheme ${name}: it must be ${Object.keys(presets).join(', ')} or a FILE.json`);
  }
  try {
    return parseScheme(JSON.parse(readSmall(name).toString('utf8')));
  } catch (error) {
    if (error instanceof CannotRun) {
      throw error;
    }
    throw new CannotRun(
      `Cannot use --scheme ${name}: ${error instanceof Error ? error.message.replace(/\s+/g, ' ') : ''}`,
    );
  }
}

function readHeader(text: string): readonly [string, string] {
  const [, name, value] = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):\s*([\x20-\x7e\x80-\xff]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new CannotRun('Cannot use --header: it is of the form "Name: value"');
  }
  return [name, value];
}

const readSmall = (file: string): Buffer => readNamedFile(file, 1_048_576);

/** Standard Webhooks secrets are handed out with `whsec_`, `v1,whsec_` or bare. */
function withPrefixOf(secret: string, scheme: Scheme): Scheme {
  const strip = ['v1,whsec_', 'whsec_'].find((prefix) => secret.startsWith(prefix)) ?? '';
  return { ...scheme, key: { ...scheme.key, strip } };
}

async function main(args: string[]): Promise<number> {
  const given = readArguments(args);
  if (given === 'help') {
    console.log(usage);
    return 0;
  }
  const secret = secretFrom(given.secretName);
  const { schemeName } = given;
  const scheme = schemeName === 'standard-webhooks' ? withPrefixOf(secret, given.scheme) : given.scheme;
  if (deriveKey(scheme.key, secret) === undefined) {
    throw new CannotRun(
      `Cannot sign by ${schemeName}: the secret in ${given.secretName} is not ${scheme.key.decode} behind "${scheme.key.strip}"`,
    );
  }
  const obstacle = obstacleToSigning(scheme);
  if (obstacle !== undefined) {
    throw new CannotRun(`Cannot sign by ${schemeName}: ${obstacle}`);
  }
  const sender = createSender(given.url, given.timeoutMs);
  try {
    const kit = createKit({
      scheme,
      secret,
      url: given.registeredUrl,
      headers: given.headers,
      now: Date.now,
      ...(given.body === undefined ? {} : { body: given.body }),
    });
    const report = await checkReceiver(kit, sender.send, { url: given.url, scheme: schemeName });
    console.log(hideSecret(given.json ? JSON.stringify(report, null, 2) : consoleTable(report), secret));
    return report.verifies === null ? 2 : report.verifies ? 0 : 1;
  } finally {
    await sender.close();
  }
}

withoutDebug();
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof CannotRun ? error.message : error);
  process.exitCode = 2;
}
