/** ` (the nearest: a, b)`, the names that a misspelt one most likely stands for, for the end of a message; often empty. */
export function nearestHint(wrong: string, names: readonly string[]): string {
  const wanted = wrong.toLowerCase();
  const allowed = ({ length }: string): number => Math.max(2, Math.min(wanted.length, length) * 0.4);
  const near = names
    .map((name) => ({ name, distance: distanceOf(wanted, name.toLowerCase()) }))
    .filter(({ distance, name }) => distance <= allowed(name))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3);
  return near.length === 0 ? '' : ` (the nearest: ${near.map(({ name }) => name).join(', ')})`;
}

/**
 * How many letters must be added, removed, changed or swapped with a neighbour (the distance of Damerau and
 * Levenshtein).
 */
export function distanceOf(a: string, b: string): number {
  let rowBefore: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (rowBefore[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, changed, swapped));
    }
    [rowBefore, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
