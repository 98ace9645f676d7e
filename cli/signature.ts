import { CannotRun } from '../common/cannot-run.ts';
import { secretFrom } from '../settings/secret-from.ts';
import { UnreadableCapture } from '../webhooks/signature/capture/har.ts';
import { describeScheme } from '../webhooks/signature/describe.ts';
import { hideSecret, judgeCapture, offlineText } from '../webhooks/signature/offline.ts';
import { carryOut, createCommand, parseCommand } from './command.ts';
import { readNamedFile } from './read-file.ts';

const mostBytes = 64 * 1_048_576;

interface Options {
  readonly secretFrom?: string;
  readonly url?: string;
  readonly only?: string;
  readonly json?: true;
}

interface Given {
  readonly file: string;
  readonly from: string | undefined;
  readonly url: string | undefined;
  readonly only: string | undefined;
  readonly json: boolean;
}

/** The words of the command line; null where --help was asked for. Throws CannotRun. */
function readArguments(argv: readonly string[]): Given | null {
  const command = createCommand(
    'signature',
    'FILE --secret-from NAME [options]',
    'Finds out how the webhook deliveries in FILE are signed, and verifies them; sends nothing. Ends with 0 where they verify, 1 where the signing fails, 2 where it cannot be decided.',
  )
    .argument(
      '[file]',
      'a HAR (such as the deliveries.har of a run), or raw HTTP requests with lines of ### between them',
    )
    .option('--secret-from <name>', "environment variable, or name in .env, that holds the webhook's secret")
    .option('--url <url>', 'the URL that the webhook was registered with, where the requests do not show it')
    .option('--only <text>', 'judge only requests whose URL holds the text')
    .option('--json', 'print what was found as JSON, which npm run receiver takes as a scheme');
  if (parseCommand(command, argv) === null) {
    return null;
  }
  const [file] = command.args;
  const { secretFrom: from, url, only, json = false } = command.opts<Options>();
  if (file === undefined) {
    throw new CannotRun('Cannot judge deliveries: no file is named; name one, a HAR or raw HTTP requests');
  }
  if (url !== undefined && !URL.canParse(url)) {
    throw new CannotRun(`Cannot use --url: got ${JSON.stringify(url)}, must be an absolute URL`);
  }
  return { file, from, url, only, json };
}

/** `npm run signature -- FILE`. */
function run(argv: readonly string[]): number {
  const given = readArguments(argv);
  if (given === null) {
    return 0;
  }
  const secret = secretFrom(given.from);
  const capture = {
    name: given.file,
    bytes: readNamedFile(given.file, mostBytes),
    ...(given.url === undefined ? {} : { registeredUrl: given.url }),
    ...(given.only === undefined ? {} : { only: given.only }),
  };
  const judgement = judged(capture, secret);
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

function judged(...given: Parameters<typeof judgeCapture>): ReturnType<typeof judgeCapture> {
  try {
    return judgeCapture(...given);
  } catch (error) {
    throw error instanceof UnreadableCapture ? new CannotRun(`Cannot read the capture: ${error.message}`) : error;
  }
}

await carryOut(() => run(process.argv.slice(2)));
