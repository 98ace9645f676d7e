/** Gives the place in the source that a part of the decoded text was made of. */
type PlaceOf = (from: number, to: number) => readonly [number, number];

/**
 * Gives a buffer for so many decoded characters. It is used again on the next call: a text may have 100,000 stretches.
 */
export type RoomFor = (length: number) => Uint16Array;

/** Called with each stretch of decoded text. */
export type VisitDecoded = (codes: Uint16Array, placeOf: PlaceOf) => void;
