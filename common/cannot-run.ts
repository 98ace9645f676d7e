/**
 * Thrown for wrong settings and unreachable targets. Its message is one line: why, and what to do. The command exits
 * with 2.
 */
export class CannotRun extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CannotRun';
  }
}

/** The message of whatever was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : typeof error === 'string' ? error : `something was thrown: ${typeof error}`;

/** The same with the places in the code, where they are known. */
export const stackOf = (error: unknown): string => (error instanceof Error && error.stack) || messageOf(error);
