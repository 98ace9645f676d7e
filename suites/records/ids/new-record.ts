import type { Fingerprint } from '../../reading/fingerprint.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';

/** A record that the run has just created. */
export interface NewRecord {
  readonly collection: string;
  /** Words that stand in this record and in no other. */
  readonly tag: string;
  readonly maker: ApiKey;
  /** The body of its create: the ids in it are those of other records. */
  readonly body: unknown;
  /** The answer to its create. */
  readonly answer: Answer;
  /** What it is recognised by where it shows none of its words. */
  readonly fingerprint: Fingerprint;
  /** Pointers to what an answer shows of this record alone, besides its words. */
  readonly ownPlaces?: ((json: unknown) => readonly string[]) | undefined;
  /** Creates another record of the kind, where a clause needs one: then one reading of the list shows both. */
  readonly companion?: (() => Promise<unknown>) | undefined;
}
