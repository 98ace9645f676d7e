import { parseJson } from '../../../common/json.ts';
import type { Redactor } from '../../../common/redact.ts';
import { utf8Text } from '../../../common/utf8.ts';
import type { HeaderLines } from '../../../results/exchange.ts';
import type { WireResponse } from '../transport/transport.ts';
import { cut } from './condense.ts';

/** What an answer holds besides its status. */
export interface Content {
  readonly headers: HeaderLines;
  readonly text: string;
  /** undefined where the body is not JSON. */
  readonly json: unknown;
}

export const noContent: Content = { headers: [], text: '', json: undefined };

/** Most characters of a body that any report shows. */
export const mostText = 65_536;

/**
 * Parses an answer. A body that is not UTF-8, or not JSON, has no `json`, and its text has replacement characters. A
 * byte order mark stays in the text, and does not keep the rest from being read.
 */
export function contentOf({ headers, body }: WireResponse): Content {
  const text = utf8Text(body);
  return { headers, text: body.toString('utf8'), json: text === undefined ? undefined : parseJson(text) };
}

/** The content without the secrets that the redactor knows. */
export function redacted(content: Content, redactor: Redactor): Content {
  const { clean, cleanBody, cleanJson } = redactor;
  const json = content.json === undefined ? undefined : cleanJson(content.json);
  // A text that is nothing but JSON without secrets holds none. The strings of JSON recur, and the redactor remembers
  // them.
  const isClean = json === content.json && isNothingButJson(content);
  const text = isClean ? content.text : cleanBody(content.text, content.json);
  return {
    headers: content.headers.map(([name, value]) => [clean(name), clean(value)] as const),
    text: cut(text, mostText),
    json,
  };
}

/** Whether the text says nothing that its JSON does not, such as a field that stands twice. */
const isNothingButJson = ({ text, json }: Content): boolean => json !== undefined && JSON.stringify(json) === text;
