import { CannotRun } from '../common/cannot-run.ts';
import { readNamed } from '../common/files.ts';
import { readJsonFile } from '../common/json-file.ts';
import { commandOf } from '../common/suite.ts';
import { secretFrom } from '../settings/env-file.ts';
import { checkReceiver, consoleTable } from '../webhooks/receiver/check.ts';
import { createSigner } from '../webhooks/receiver/sign.ts';
import type { HeaderLines } from '../webhooks/signature/delivery.ts';
import { hideSecret } from '../webhooks/signature/keys.ts';
import type { Scheme } from '../webhooks/signature/scheme.ts';
import { isPreset, parseScheme, presets } from '../webhooks/signature/scheme.ts';
import { carryOut, createCommand, httpUrl, numberFrom } from './command.ts';

/** A URL without a user in it. */
function plainUrl(text: string): string {
  const { username, password } = new URL(httpUrl(text));
  if (username !== '' || password !== '') {
    throw new CannotRun('Cannot use a URL with a user in it: put user and password into --header "Authorization: …"');
  }
  return text;
}

const schemeNames = Object.keys(presets).join(', ');

const command = createCommand(
  'receiver',
  'URL --scheme NAME|FILE.json --secret-from NAME [options]',
  'Sends your webhook receiver deliveries that are validly signed, tampered with, unsigned, signed with a wrong key, truncated and expired, and reports each wrong answer. Sends to URL only. Ends with 0 if it verifies, 1 if it does not, 2 if that cannot be decided.',
)
  .argument('<url>', "the receiver's URL", plainUrl)
  .requiredOption(
    '--scheme <name>',
    `${schemeNames}, or a FILE.json that ${commandOf('signature', 'FILE --json')} has printed`,
  )
  .requiredOption('--secret-from <name>', "environment variable, or name in .env, that holds the receiver's secret")
  .option('--registered-url <url>', 'the URL that the receiver assumes it has, if its scheme signs that', plainUrl)
  .option('--header <"name: value">', 'a header to add (repeatable)', aHeader)
  .option('--body <file>', 'a payload that the receiver accepts, if it refuses the built-in one')
  .option('--timeout <ms>', 'how long one answer may take', numberFrom(1, 60_000), 10_000)
  .option('--json', 'print the report as JSON');

function readScheme(name: string): Scheme {
  if (isPreset(name)) {
    return presets[name];
  }
  if (!name.endsWith('.json')) {
    throw new CannotRun(`Cannot use --scheme ${name}: it must be ${schemeNames} or a FILE.json`);
  }
  return readJsonFile('--scheme', name, parseScheme);
}

function aHeader(text: string, before: HeaderLines = []): HeaderLines {
  const [, name, value] = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):\s*([\x20-\x7e\x80-\xff]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    // It may hold a secret, so it is not repeated.
    throw new CannotRun('Cannot use --header: it must be of the form "Name: value"');
  }
  return [...before, [name, value]];
}

/**
 * The scheme with the prefix of this secret. Secrets of Standard Webhooks begin with `whsec_` or `v1,whsec_`, or have
 * no prefix.
 */
function withPrefixOf(secret: string, scheme: Scheme): Scheme {
  const strip = ['v1,whsec_', 'whsec_'].find((prefix) => secret.startsWith(prefix)) ?? '';
  return { ...scheme, key: { ...scheme.key, strip } };
}

async function run(): Promise<number> {
  const given = command.opts();
  const { scheme: schemeName, body, json } = given;
  const [url = ''] = command.args;
  const named = readScheme(schemeName);
  const secret = secretFrom(given.secretFrom);
  const scheme = schemeName === 'standard-webhooks' ? withPrefixOf(secret, named) : named;
  const options = {
    url,
    scheme,
    schemeName,
    secret,
    headers: given.header ?? [],
    timeoutMs: given.timeout,
    body: body === undefined ? undefined : readNamed(body),
    registeredUrl: given.registeredUrl ?? url,
  };
  try {
    createSigner(options);
  } catch (error) {
    throw error instanceof TypeError ? new CannotRun(`Cannot sign by ${schemeName}: ${error.message}`) : error;
  }
  const report = await checkReceiver(options);
  console.log(hideSecret(json ? JSON.stringify(report, null, 2) : consoleTable(report), secret));
  return report.verifies === null ? 2 : Number(!report.verifies);
}

await carryOut(command, run);
