import { parseArgs } from 'node:util';
import { CannotRun } from '../common/cannot-run.ts';
import { secretFrom } from '../settings/secret-from.ts';
import { UnreadableCapture } from '../webhooks/signature/capture/har.ts';
import { describeScheme } from '../webhooks/signature/describe.ts';
import { hideSecret, judgeCapture, offlineText } from '../webhooks/signature/offline.ts';
import { readNamedFile } from './read-file.ts';

const usage = `npm run signature -- FILE --secret-from NAME [--url URL] [--only TEXT] [--json]

Finds out how the webhook deliveries in FILE are signed, and verifies them. FILE is a HAR, or raw HTTP requests separated by
lines that begin with ###. NAME is the environment variable (or the name in .env) that holds the webhook's secret.
  --url URL    the URL that the webhook was registered with, where the requests do not show it
  --only TEXT  only requests whose URL holds TEXT
  --json       prints what was found as JSON; npm run receiver takes it as a scheme
Exit status: 0 verified, 1 the signing fails, 2 it cannot be decided.`;

const mostBytes = 64 * 1_048_576;

interface Given {
  readonly file: string;
  readonly from: string | undefined;
  readonly url: string | undefined;
  readonly only: string | undefined;
  readonly json: boolean;
}

/** The words of the command line. Throws CannotRun. */
function readArguments(args: string[]): Given | 'help' {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        'secret-from': { type: 'string' },
        url: { type: 'string' },
        only: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) {
      return 'help';
    }
    const [file] = positionals;
    if (file === undefined || positionals.length > 1) {
      throw new CannotRun(`Cannot judge ${positionals.length} files: name one, a HAR or raw HTTP requests`);
    }
    if (values.url !== undefined && !URL.canParse(values.url)) {
      throw new CannotRun('Cannot use --url: it must be an absolute URL');
    }
    return { file, from: values['secret-from'], url: values.url, only: values.only, json: values.json };
  } catch (error) {
    if (error instanceof CannotRun) {
      throw error;
    }
    throw new CannotRun(
      `Cannot use the command line: ${error instanceof Error ? error.message.split('\n')[0] : ''}; see npm run signature -- --help`,
    );
  }
}

function main(args: string[]): number {
  const given = readArguments(args);
  if (given === 'help') {
    console.log(usage);
    return 0;
  }
  const secret = secretFrom(given.from);
  const capture = {
    name: given.file,
    bytes: readNamedFile(given.file, mostBytes),
    ...(given.url === undefined ? {} : { registeredUrl: given.url }),
    ...(given.only === undefined ? {} : { only: given.only }),
  };
  const judgement = judgeCapture(capture, secret);
  const { found } = judgement;
  console.log(
    given.json
      ? hideSecret(
          JSON.stringify(
            {
              ...judgement,
              ...('scheme' in found ? { scheme: found.scheme, sentence: describeScheme(found.scheme) } : {}),
            },
            null,
            2,
          ),
          secret,
        )
      : offlineText(judgement, capture, given.from ?? '', secret),
  );
  return judgement.status;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  const known = error instanceof CannotRun || error instanceof UnreadableCapture;
  const prefix = error instanceof UnreadableCapture ? 'Cannot read the capture: ' : '';
  console.error(known ? `${prefix}${error.message}` : error);
  process.exitCode = 2;
}
