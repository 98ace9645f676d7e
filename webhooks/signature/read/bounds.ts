/**
 * How much is looked at. A deployment chooses its headers and bodies, so every scan is bounded by these and every
 * pattern runs in linear time.
 */
export const bounds = {
  headers: 200,
  headerLength: 8_192,
  /** Larger bodies are hashed as they are, but not parsed as JSON or written in other ways. */
  parsedBody: 1_048_576,
  /** Of a JSON body: what is read of each delivery is held while they are compared. */
  parsedValues: 10_000,
  leaves: 2_000,
  depth: 32,
  /** Headers' come first, then the body's, what is shallow before what is deep. */
  tokens: 100,
  timestamps: 8,
  values: 12,
  hmacs: 650_000,
  hashedBytes: 256 * 1_048_576,
} as const;
