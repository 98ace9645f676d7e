/** A part of a text, from the first character to before `to`. */
export type Range = readonly [from: number, to: number];

/** Called with each range that must not be shown. */
export type Report = (from: number, to: number) => void;

/** The ranges in order, with those joined that overlap or touch. */
export function merged(ranges: readonly Range[]): Range[] {
  const joined: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && from <= last[1]) {
      last[1] = Math.max(last[1], to);
    } else {
      joined.push([from, to]);
    }
  }
  return joined;
}

/** The text with `…` for each range. The ranges must be in order, and none may touch another. */
export function withoutRanges(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) {
    return text;
  }
  const kept = [0, ...ranges.map(([, to]) => to)].map((from, index) => text.slice(from, ranges[index]?.[0]));
  // `join` makes one flat string; concatenation would keep thousands of slices, and with them the text, in memory.
  return kept.join('…');
}
