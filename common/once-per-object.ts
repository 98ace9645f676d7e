/**
 * A function of an object and a word that computes its result once for both. It remembers results for as long as the
 * object is in use. Objects that it is given must not change.
 */
export function oncePerObject<A extends object, R>(compute: (of: A, word: string) => R): (of: A, word: string) => R {
  const known = new WeakMap<A, Map<string, R>>();
  return (of, word) => {
    const results = known.get(of) ?? new Map<string, R>();
    if (!results.has(word)) {
      results.set(word, compute(of, word));
      known.set(of, results);
    }
    return results.get(word) as R;
  };
}
