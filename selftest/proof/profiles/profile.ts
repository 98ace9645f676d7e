/** A correct deployment in the style of a product or framework. */
export interface Profile {
  /** What documents that it is so. */
  readonly source: string;
  /** The choices that it makes, of both APIs. */
  readonly choices: string;
  /** The BODIES that its user would write. */
  readonly bodies: Readonly<Record<string, unknown>>;
}
