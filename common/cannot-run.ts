/** Thrown for wrong settings and targets out of reach: one line that says why and what to do; the run ends with 2. */
export class CannotRun extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CannotRun';
  }
}
