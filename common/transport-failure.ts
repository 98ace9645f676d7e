/** Why no response came, or none that could be read. */
export interface Failure {
  readonly kind: FailureKind;
  /** For people; nothing may depend on its words. */
  readonly message: string;
}

export type FailureKind =
  | 'refused'
  | 'dns'
  | 'tls'
  | 'timeout'
  | 'closed'
  | 'reset'
  | 'too-large'
  | 'too-deep'
  | 'length'
  | 'encoding'
  | 'protocol'
  /** A server before the deployment said so, to every call. */
  | 'away'
  | 'other';

/** No answer, or none that could be taken in: evidence, not a defect of the suite. */
export class TransportFailure extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'TransportFailure';
    this.kind = kind;
  }
}
