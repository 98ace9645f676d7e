/**
 * How much of a delivery is read. Headers and bodies may be hostile, so all scans are bounded, and all patterns take
 * linear time.
 */
export const bounds = {
  headers: 200,
  headerLength: 8_192,
  /** Larger bodies, in bytes, are only hashed as they are: not parsed as JSON, nor written in other forms. */
  parsedBody: 1_048_576,
  /** JSON bodies with more values are not parsed, since all deliveries are held in memory while they are compared. */
  parsedValues: 10_000,
  leaves: 2_000,
  depth: 32,
  /** Tokens in headers come first, then those in the body, shallow ones before deep ones. */
  tokens: 100,
  timestamps: 8,
  values: 12,
  hmacs: 650_000,
  hashedBytes: 256 * 1_048_576,
} as const;
