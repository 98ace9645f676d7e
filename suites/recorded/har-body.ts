import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { member } from '../../common/json.ts';
import { type HeaderLines, headerOf } from '../../results/exchange.ts';

/** The body of a recorded answer; null where the recorder did not keep it, or not to its end. */
export type RecordedBody = string | null;

/** What is known of an answer besides its content. */
interface Around {
  readonly method: string;
  readonly status: number;
  readonly headers: HeaderLines;
  /** The folder of the recording: a recorder may keep bodies in files beside it. */
  readonly folder: string;
}

/**
 * The body that `content` of a HAR entry holds. What recorders do not keep is not empty: without a text it is empty only
 * where something says so. Sizes count compressed bytes, characters or bytes, depending on the recorder, so a text that is
 * a complete JSON document is taken as whole, whatever its size.
 */
export function bodyOf(content: unknown, around: Around): RecordedBody {
  const text = member(content, 'text') ?? textBeside(member(content, '_file'), around.folder);
  const given = Number(member(content, 'size') ?? -1);
  // Recorders write -1 for what they do not know.
  const size = given >= 0 ? given : null;
  if (typeof text !== 'string' || text === '') {
    return isKnownEmpty(size, around) ? '' : null;
  }
  const body = decoded(text, member(content, 'encoding') === 'base64');
  const bytes = Buffer.byteLength(body);
  // mitmproxy counts the compressed bytes, and says how many more there are without compression.
  const unpacked = size === null ? null : size + Number(member(content, 'compression') ?? 0);
  // Some recorders strip a byte order mark, which has three bytes.
  const isCut = size !== null && size > bytes + 3 && unpacked !== bytes && !isJsonDocument(body);
  return isCut ? null : body;
}

/** Whether an answer without a text has an empty body, and not one that was not recorded. */
function isKnownEmpty(size: number | null, { method, status, headers }: Around): boolean {
  if (method === 'HEAD' || status === 204 || status === 304) {
    return true;
  }
  const length = headerOf(headers, 'content-length');
  return length === null ? size === 0 : Number(length) === 0;
}

/** The text of a body as it was sent. The base64 flag is set wrongly, or not set, by some recorders. */
function decoded(text: string, isFlagged: boolean): string {
  const isBase64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(text);
  if (!isBase64) {
    return text;
  }
  const bytes = Buffer.from(text, 'base64').toString('utf8');
  return isFlagged || (!isJsonDocument(text) && isJsonDocument(bytes)) ? bytes : text;
}

/** Whether a text is a JSON object or list from its first character to its last. */
function isJsonDocument(text: string): boolean {
  try {
    const json: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return typeof json === 'object' && json !== null;
  } catch {
    return false;
  }
}

/** Bodies of Playwright's recordings may be in files beside the HAR, which `_file` names. */
const largestBody = 16 * 1_048_576;

function textBeside(name: unknown, folder: string): string | undefined {
  // Only a file in the folder itself: a recording may come from anybody.
  if (typeof name !== 'string' || name !== basename(name)) {
    return undefined;
  }
  const path = join(folder, name);
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() && stats.size <= largestBody ? readFileSync(path, 'utf8') : undefined;
}
