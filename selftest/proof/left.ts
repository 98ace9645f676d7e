/** What is left, each sort of it once: without the words and ids that tell one record from another. */
export const sortsOf = (left: readonly string[]): string[] =>
  [
    ...new Set(
      left.map((line) =>
        line
          .replace(/ proof7.*/, '')
          .replace(/^(\/v1\/webhooks) \S+$/, '$1')
          .replace(/_[A-Za-z0-9]{12,}/g, '_…'),
      ),
    ),
  ].toSorted();
