/** Why no response came, or why it could not be read. */
export interface Failure {
  readonly kind: FailureKind;
  /** For people; no code may depend on its words. */
  readonly message: string;
}

export type FailureKind =
  | 'refused'
  | 'dns'
  | 'tls'
  /** TLS was begun at a port that speaks plain HTTP. */
  | 'plain-http'
  | 'timeout'
  | 'closed'
  | 'reset'
  | 'too-large'
  | 'too-deep'
  | 'length'
  | 'encoding'
  | 'protocol'
  /** A proxy in front of the deployment answers that it is away, to every call. */
  | 'away'
  /** The proxy through which the calls go cannot be reached, or refuses them. */
  | 'proxy'
  | 'other';

/** Thrown when no answer came or it could not be read. It becomes evidence, and is no defect of the suite. */
export class TransportFailure extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'TransportFailure';
    this.kind = kind;
  }
}
