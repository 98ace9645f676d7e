/** The message of whatever was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : typeof error === 'string' ? error : `something was thrown: ${typeof error}`;

/** The same with the places in the code, where they are known. */
export const stackOf = (error: unknown): string => (error instanceof Error && error.stack) || messageOf(error);
