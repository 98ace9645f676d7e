/** Where a value is wrong in a JSON file. `pointer`: the names that lead to it. */
interface Placed {
  readonly pointer: readonly (string | number)[];
}

/** An error about a value of a JSON file, whose line and column `readJsonFile` adds. */
export const wrongAt = (pointer: Placed['pointer'], message: string): Error =>
  Object.assign(new Error(message), { pointer } satisfies Placed);

export const isPlaced = (error: unknown): error is Error & Placed => error instanceof Error && 'pointer' in error;

/** Tokens of JSON: strings, punctuation, and other scalars. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** `line 3, column 5`: where the value at a pointer begins in a JSON text, or the nearest that contains it. */
export function placeIn(text: string, pointer: Placed['pointer']): string {
  const path: (string | number)[] = [];
  let name: string | null = null;
  let found = 0;
  let depth = -1;
  const isOnTheWay = (): boolean => path.every((one, index) => one === pointer[index]);
  for (const { 0: part, index } of text.matchAll(token)) {
    const isNamed = typeof path.at(-1) === 'string';
    if (part === '}' || part === ']') {
      path.pop();
    } else if (part === ',') {
      const last = path.at(-1);
      path[path.length - 1] = typeof last === 'number' ? last + 1 : '';
      name = null;
    } else if (part === ':') {
      path[path.length - 1] = name ?? '';
    } else if (isNamed && path.at(-1) === '' && name === null && part.startsWith('"')) {
      // A name of the object; what follows it is the value, but the name is where to look.
      name = JSON.parse(part) as string;
      const isWanted = path.length > depth && [...path.slice(0, -1), name].every((one, at) => one === pointer[at]);
      [found, depth] = isWanted ? [index, path.length] : [found, depth];
    } else {
      [found, depth] = path.length > depth && isOnTheWay() ? [index, path.length] : [found, depth];
      if (part === '{' || part === '[') {
        path.push(part === '{' ? '' : 0);
        name = null;
      }
    }
  }
  const before = text.slice(0, found).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}
