/** How much of a delivery is read and tried. Headers and bodies may be hostile. */
export const bounds = {
  headers: 200,
  headerLength: 8_192,
  /** Larger bodies, in bytes, are only hashed as they are: not parsed as JSON, nor written in other forms. */
  parsedBody: 1_048_576,
  parsedValues: 10_000,
  leaves: 2_000,
  tokens: 100,
  /** HMACs computed, and bytes hashed for them. */
  hmacs: 60_000,
  hashedBytes: 96 * 1_048_576,
} as const;
