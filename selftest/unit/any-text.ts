import fc from 'fast-check';

const [firstSurrogate, surrogates] = [0xd800, 0x800];

/** Any Unicode character. fast-check's own unit `binary` would first make a table of a million entries. */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(0x10ffff - surrogates).map(
  (index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates),
  (character) => indexOf(String(character)),
);

/** Throws if it is not one character, as fast-check requires of an unmapper. */
function indexOf(character: string): number {
  const code = character.codePointAt(0);
  if (code === undefined || String.fromCodePoint(code) !== character || !character.isWellFormed()) {
    throw new Error(`Cannot find the index: got ${JSON.stringify(character)}, must be one character`);
  }
  return code < firstSurrogate ? code : code - surrogates;
}

const encoded = fc.string({ unit: anyCharacter }).map(encodeURIComponent);

/** Any URL, percent-encoded. `fc.webUrl` would make that table too. */
export const anyUrl: fc.Arbitrary<string> = fc
  .tuple(fc.webAuthority(), fc.array(encoded), fc.constantFrom('', '?', '?a='), encoded)
  .map(([host, segments, query, value]) => `https://${host}/${segments.join('/')}${query}${query && value}`);
