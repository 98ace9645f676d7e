/** Long enough, and of letters enough, that a neighbour of it is nobody's. */
const unguessable = /^(?=.*[a-z].*[a-z])(?=.*\d)[\w-]{16,}$/i;

/**
 * Ids that the deployment does not know, shaped like its own: the one that was deleted, then one that nobody can have.
 * Calls with them delete and rotate, so an id that could be somebody else's is never made up.
 */
export function unknownIds(deletedId: string): readonly [string, ...string[]] {
  if (/^\d{1,12}$/.test(deletedId)) {
    const number = Number(deletedId);
    // Beside ids that count from one, a number within 32 bits is as much nobody's, and well-formed everywhere.
    return [deletedId, String(number < 100_000_000 ? number + 2_000_000_000 : number + 900_000_000_000)];
  }
  return unguessable.test(deletedId) ? [deletedId, altered(deletedId)] : [deletedId];
}

/** The last four characters replaced by others of their kind. */
function altered(id: string): string {
  const rotate = (character: string, alphabet: string): string =>
    alphabet[(alphabet.indexOf(character) + 5) % alphabet.length] ?? character;
  const hex = /^[0-9a-f-]+$/i.test(id);
  const other = (character: string): string => {
    if (/\d/.test(character)) {
      return rotate(character, '0123456789');
    }
    if (/[a-z]/.test(character)) {
      return rotate(character, hex ? 'abcdef' : 'abcdefghijklmnopqrstuvwxyz');
    }
    return rotate(character, hex ? 'ABCDEF' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  };
  return id.slice(0, -4) + id.slice(-4).replace(/[0-9a-zA-Z]/g, other);
}
