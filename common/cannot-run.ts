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
