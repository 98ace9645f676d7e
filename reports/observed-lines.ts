/** A value up to this length is written on one line. */
const mostOnALine = 76;

interface ObservedLine {
  /** The level of indentation. */
  readonly depth: number;
  readonly text: string;
}

/**
 * An observed value as `name: value` lines, much like YAML, for plain-text reports. The value must be within the bounds
 * of reports.
 */
export function observedLines(value: unknown, depth = 0): ObservedLine[] {
  const short = flow(value);
  if (short !== null && (depth > 0 || !isTree(value) || Array.isArray(value))) {
    return [{ depth, text: short }];
  }
  const parts = Array.isArray(value)
    ? value.map((item) => ['-', item] as const)
    : Object.entries(value as object).map(([name, item]) => [`${name}:`, item] as const);
  return parts.flatMap(([label, item]) => under(label, item, depth));
}

/** Like `observedLines`, as text, indented by two blanks for each level. */
export const observedText = (value: unknown): string =>
  observedLines(value)
    .map(({ depth, text }) => `${'  '.repeat(depth)}${text}`)
    .join('\n');

function under(label: string, item: unknown, depth: number): ObservedLine[] {
  const short = flow(item);
  if (short !== null) {
    return [{ depth, text: `${label} ${short}` }];
  }
  return [{ depth, text: label }, ...observedLines(item, depth + 1)];
}

/** Whether a value has parts. */
const isTree = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/**
 * The value on one line, with lists in brackets and objects in braces; null if a list or an object is too long for
 * that.
 */
function flow(value: unknown): string | null {
  const text = flowText(value);
  return !isTree(value) || (text.length <= mostOnALine && !text.includes('\n')) ? text : null;
}

function flowText(value: unknown): string {
  if (!isTree(value)) {
    return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map(flowText).join(', ')}]`;
  }
  return `{${Object.entries(value)
    .map(([name, inner]) => `${name}: ${flowText(inner)}`)
    .join(', ')}}`;
}
