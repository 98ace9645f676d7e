/** Thrown if a capture cannot be read; the message says where and why. */
export class UnreadableCapture extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableCapture';
  }
}
