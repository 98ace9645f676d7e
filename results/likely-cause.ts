import { type Exchange, headerOf } from './exchange.ts';

/** What the failures of the transport most often come from, by how their text begins. */
const ofFailures: readonly (readonly [RegExp, string])[] = [
  [/^No complete answer/, 'The deployment hangs on this call, or needs longer than TIMEOUT_MS'],
  [
    /^Connection is (closed|reset)/,
    'The server, or a proxy before it, dropped the connection while it worked on the call',
  ],
  [/^Connection is refused|^Host/, 'The deployment went down during the run, or an instance of it did'],
  [
    /^Body is not as long/,
    'The body was cut off or measured in characters instead of bytes: look at what sets Content-Length',
  ],
  [/^Body is not valid|^Content-Encoding/, 'The body was encoded twice, or labelled with an encoding it does not have'],
];

/** What most likely lies behind an answer that is wrong, whatever the clause; undefined where nothing points to one. */
export function likelyCause({ response, failure }: Exchange): string | undefined {
  if (response === null) {
    return ofFailures.find(([text]) => text.test(failure ?? ''))?.[1];
  }
  const type = headerOf(response.headers, 'content-type') ?? '';
  const location = headerOf(response.headers, 'location');
  if (response.status >= 300 && response.status < 400 && location !== null) {
    return `Something redirects to ${location.slice(0, 200)}: a sign-in page, another scheme or host, or a slash at the end`;
  }
  if (/\bhtml\b/i.test(type)) {
    return "An HTML page came: a framework's or gateway's own error page answered in place of the API";
  }
  if (response.status >= 500) {
    return 'The deployment itself broke on this call: its log says why, under the trace id where one came';
  }
  return undefined;
}
