/** How a JSON text is written: enough to say what the usual libraries of other languages write for the same value. */
export interface JsonStyle {
  readonly comma: string;
  readonly colon: string;
  readonly sorted?: boolean;
  /** Everything beyond ASCII as \uXXXX. */
  readonly ascii?: boolean;
  /** Slashes as \/, as PHP does. */
  readonly slashes?: boolean;
}

/** Writes a parsed JSON value in a style. Throws RangeError where it is nested too deeply for the stack. */
export function jsonText(value: unknown, style: JsonStyle): string {
  if (Array.isArray(value)) {
    return `[${value.map((each) => jsonText(each, style)).join(style.comma)}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value);
    if (style.sorted === true) {
      keys.sort();
    }
    const member = (key: string): string =>
      `${scalarText(key, style)}${style.colon}${jsonText((value as Record<string, unknown>)[key], style)}`;
    return `{${keys.map(member).join(style.comma)}}`;
  }
  return scalarText(value, style);
}

function scalarText(value: unknown, style: JsonStyle): string {
  let text = JSON.stringify(value);
  if (style.ascii === true) {
    text = text.replace(/[\u007f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  }
  return style.slashes === true ? text.replaceAll('/', String.raw`\/`) : text;
}
