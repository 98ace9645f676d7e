/** What the first row that applies decides: what stands behind its condition. The last one applies to all the rest. */
export function decide<T extends readonly unknown[]>(...rows: readonly (readonly [applies: boolean, ...T])[]): T {
  const [, ...decided] = (rows.find(([applies]) => applies) ?? rows.at(-1)) as readonly [boolean, ...T];
  return decided;
}
