import { readNamed } from '../common/files.ts';
import { commandOf } from '../common/suite.ts';
import { secretFrom } from '../settings/env-file.ts';
import { captureText, judgeCapture } from '../webhooks/capture/judge.ts';
import { describeScheme } from '../webhooks/signature/describe.ts';
import { hideSecret } from '../webhooks/signature/keys.ts';
import { carryOut, createCommand, httpUrl } from './command.ts';

const command = createCommand(
  'signature',
  'FILE --secret-from NAME [options]',
  'Finds out how the webhook deliveries in FILE are signed, and verifies them; sends nothing. Ends with 0 if they verify, 1 if they are signed wrongly or not at all, 2 if that cannot be decided.',
)
  .argument(
    '<file>',
    'a HAR (such as the deliveries.har of a run), JSON of ngrok or webhook.site, or raw HTTP with ### between requests',
  )
  .requiredOption('--secret-from <name>', "environment variable, or name in .env, that holds the webhook's secret")
  .option('--url <url>', 'the URL that the webhook was registered with, if the requests do not show it', httpUrl)
  .option('--only <text>', 'judge only requests whose URL includes the text')
  .option('--json', `print the result as JSON, which ${commandOf('receiver')} takes as a scheme`);

function run(): number {
  const [name = ''] = command.args;
  const { secretFrom: from, url, only, json } = command.opts();
  const secret = secretFrom(from);
  const capture = { name, bytes: readNamed(name), registeredUrl: url, only };
  const judgement = judgeCapture(capture, secret);
  const { found } = judgement;
  const scheme = 'scheme' in found ? { scheme: found.scheme, sentence: describeScheme(found.scheme) } : {};
  console.log(
    json
      ? hideSecret(JSON.stringify({ ...judgement, ...scheme }, null, 2), secret)
      : captureText(judgement, capture, from, secret),
  );
  return judgement.status;
}

await carryOut(command, run);
