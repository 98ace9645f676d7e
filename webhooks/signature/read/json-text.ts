/** How JSON is written. Covers what the usual libraries of other languages write for the same value. */
export interface JsonStyle {
  readonly comma: string;
  readonly colon: string;
  readonly sorted?: boolean;
  /** How many blanks each level is indented by, with each member on a line of its own. */
  readonly indent?: number;
  /** Applied to each text, quotes included. */
  readonly escape?: Escape;
}

/** Escapes further characters in a text that is JSON already. */
type Escape = (json: string) => string;

/** Writes a parsed JSON value in a style. Throws a RangeError if it is nested too deeply for the stack. */
export function jsonText(value: unknown, style: JsonStyle, depth = 1): string {
  if (typeof value !== 'object' || value === null) {
    const json = JSON.stringify(value);
    return style.escape?.(json) ?? json;
  }
  const member = ([name, each]: [string, unknown]): string => {
    const text = jsonText(each, style, depth + 1);
    return Array.isArray(value) ? text : `${jsonText(name, style)}${style.colon}${text}`;
  };
  const entries = Object.entries(value);
  if (style.sorted === true && !Array.isArray(value)) {
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
  }
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (style.indent === undefined || entries.length === 0) {
    return `${open}${entries.map(member).join(style.comma)}${close}`;
  }
  const line = (level: number): string => `\n${' '.repeat(level * (style.indent ?? 0))}`;
  return `${open}${line(depth)}${entries.map(member).join(`,${line(depth)}`)}${line(depth - 1)}${close}`;
}

/** Escapes the characters of a set as \uXXXX, and with `quotes` escaped quotes too. Other escapes stay as they are. */
const escaping =
  (set: string, { upper = false, quotes = false } = {}): Escape =>
  (json) =>
    json.replace(new RegExp(String.raw`\\[\s\S]|[${set}]`, 'g'), (one) => {
      if (one.length > 1) {
        return quotes && one === '\\"' ? String.raw`\u0022` : one;
      }
      const hex = one.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${upper ? hex.toUpperCase() : hex}`;
    });

const beyondAscii = String.raw`\u007f-\uffff`;

export const escapes = {
  ascii: escaping(beyondAscii),
  asciiUpper: escaping(beyondAscii, { upper: true }),
  /** Go and Rails. */
  html: escaping(String.raw`<>&\u2028\u2029`),
  htmlAscii: escaping(`<>&${beyondAscii}`),
  /** Gson. */
  htmlFull: escaping(String.raw`<>&='\u2028\u2029`),
  /** System.Text.Json of .NET. */
  dotnet: escaping(`<>&'+\`${beyondAscii}`, { upper: true, quotes: true }),
  /** PHP. */
  slashes: (json: string) => json.replace(/\\[\s\S]|\//g, (one) => (one === '/' ? String.raw`\/` : one)),
  noSlashes: (json: string) => json.replace(/\\[\s\S]/g, (one) => (one === String.raw`\/` ? '/' : one)),
  entities: (json: string) => json.replace(/[&<>]/g, (one) => entities[one] ?? one),
  entitiesInValues: (json: string) =>
    json.replace(/\\[\s\S]|[&<>']/g, (one) => entities[one === '\\"' ? '"' : one] ?? one),
  entitiesAll: (text: string) => text.replace(/[&<>"']/g, (one) => entities[one] ?? one),
} as const satisfies Record<string, Escape>;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
