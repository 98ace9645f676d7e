/**
 * A function of an object and a word that computes its result once for both. It remembers results for as long as the
 * object is in use. Objects that it is given must not change.
 */
export function oncePerObject<A extends object, R>(compute: (of: A, word: string) => R): (of: A, word: string) => R {
  const known = new WeakMap<A, Map<string, R>>();
  return (of, word) => {
    const results = known.get(of) ?? new Map<string, R>();
    known.set(of, results);
    const before = results.get(word);
    if (before !== undefined || results.has(word)) {
      return before as R;
    }
    const result = compute(of, word);
    results.set(word, result);
    return result;
  };
}
