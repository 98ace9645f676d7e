import { CannotRun } from './cannot-run.ts';
import { asWritten } from './files.ts';

/** What tools write that is no recording to be read: how it begins; what it is, and what its tool gives instead. */
const others: readonly { readonly begins: RegExp; readonly what: string }[] = [
  { begins: /^\xac\xed|^\s*\[\s*\{[^{]*"protocolVersion"/, what: 'a session of Charles: export it as HTTP Archive' },
  { begins: /^PK[\s\S]*(?:_index\.htm|raw\/\d)/, what: 'a session archive of Fiddler: export it as HTTPArchive' },
  { begins: /<items burpVersion=/, what: 'the items of Burp as XML: export HAR with its extension Logger++' },
  { begins: /^\d+:\d+:[a-z_]+;/, what: 'the flows of mitmproxy: mitmdump -nr FILE --set hardump=OUT.har' },
  {
    begins:
      /^(?:\xd4\xc3\xb2\xa1|\n\r\r\n|\d\d:\d\d:\d\d\.\d+ IP |interface: \S+ \(|0{4,8}\s+[\da-f]{2}\s|\s*\[\s*\{\s*"_index")/,
    what: 'a record of packets: record with a proxy or a browser, which export HAR',
  },
  {
    begins: /^\s*\{\s*"(?:info"[\s\S]*schema\.getpostman\.com|collection")/,
    what: 'a collection or a report of Postman: run newman with newman-reporter-har',
  },
  { begins: /^\s*\{\s*"_type"\s*:\s*"export"/, what: 'an export of Insomnia: choose HAR as its format' },
  {
    begins: /^(?:Request URL|id|event|data): /,
    what: 'deliveries as a page shows them, whose bodies were parsed: capture them on the wire, with ngrok or webhook.site',
  },
  { begins: /^"?\w+"?(?:,"?[\w .]+"?){3,}\r?\n/, what: 'a CSV table: export JSON or HAR' },
  { begins: /^\s*<[!?a-z]/i, what: 'XML or HTML: export HAR' },
];

/** The bytes of a recording, as `asWritten` gives them. Throws CannotRun, which begins with `cannot` and names it. */
export function recordingIn(file: Buffer, cannot: string): Buffer {
  const known = (bytes: Buffer): Buffer => {
    const head = bytes.toString('latin1', 0, 4_096);
    const other = others.find(({ begins }) => begins.test(head));
    if (other !== undefined) {
      throw new CannotRun(`${cannot}: it is ${other.what}`);
    }
    return bytes;
  };
  return known(asWritten(known(file), cannot));
}
