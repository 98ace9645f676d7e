/**
 * What a call that names such a record by its id shows: the record, or something else about it. `none`: no call reads
 * by id.
 */
export type Reading = 'shows the record' | 'takes the id' | 'none';

/** What a read by an id found. `something`: it succeeded, and does not show whose record it read. */
export type ReadResult = 'the record' | 'another record' | 'something' | 'nothing';

/**
 * How the answer to the create, or the record's row in the list, shows an id, the strongest first: at the end of
 * Location; where the first record of the kind had its own; as the whole answer; in a field of the record that is
 * called its id; in a field of the record that may be its id (`reference`, `channel_id`); as the id of an object inside
 * or beside the record; in a field of any other name.
 */
export const standings = ['located', 'taught', 'alone', 'named', 'possible', 'nested', 'text'] as const;
export type Standing = (typeof standings)[number];

/** Whether it is shown as the record's id for certain, and not only in a field that may hold it. */
export const isNamed = (standing: Standing): boolean => standings.indexOf(standing) <= standings.indexOf('named');

/** A value that may be the record's id, and what is known of it. */
export interface Candidate {
  readonly id: string;
  readonly standing: Standing;
  readonly isInAnswer: boolean;
  readonly isInRow: boolean;
  /** The body of the create gave it: it is the id of something that the record refers to. */
  readonly isGiven: boolean;
  /**
   * The row of another record has it in the same place: it is that record's id, or that of something both refer to,
   * such as an account.
   */
  readonly isShared: boolean;
  /** A row that shows no words of the run has it, in whatever place. */
  readonly isStrangers: boolean;
  /** A list showed it before the record was created. */
  readonly isEarlier: boolean;
  /** It is a key, or how one ends, or its field is called a secret. */
  readonly isSecret: boolean;
  /** It is how a key begins, in a field that may have any name. */
  readonly isBeginning: boolean;
  /** null: no read was made. */
  readonly read: ReadResult | null;
}

/** How evidence is gathered: by reads of the record by id, from its list, from all pages of the list. */
export type Step = 'reads' | 'list' | 'all pages';

/** What is known of a record whose id is sought. */
export interface Evidence {
  readonly reading: Reading;
  /** The steps that can still be made. */
  readonly open: ReadonlySet<Step>;
  /** In the order in which the answer and the row show them. */
  readonly candidates: readonly Candidate[];
  /** The object in which the answer shows its ids is the record for certain. */
  readonly isAnswerClear: boolean;
  /** The list shows the record. */
  readonly hasRow: boolean;
  /** The list has no other rows than those that were compared. */
  readonly isListWhole: boolean;
}
