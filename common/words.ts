/** `1,234`. Not with Intl, which k6 does not have. */
export const thousands = (many: number): string => String(many).replace(/\B(?=(\d{3})+$)/g, ',');

const plural = (noun: string): string => (/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`);

/** `1 clause`, `2 deliveries`, `1,234 calls`. */
export const counted = (many: number, noun: string): string => `${thousands(many)} ${many === 1 ? noun : plural(noun)}`;

/** `a lead`, `an agent`, `an unknown key`. Goes by the spelling, so it is wrong for nouns such as `hour`. */
export const withArticle = (noun: string): string => `${/^[aeio]|^u(?!ni|s)/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** The letters of a field's name, in lower case. */
export const lettersOf = (name: string): string => name.replace(/[^a-z]/gi, '').toLowerCase();

/** The letters and digits of a text, in lower case. Others may be escaped as in HTML: `&amp;`. */
export const alphanumeric = (text: string): string => text.replace(/&#?\w+;|[^a-z0-9]/gi, '').toLowerCase();

/** `lead_id` for `leadId` and `LeadId`. Dashes and dots stay. */
export const snakeCase = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

/** How many characters two texts begin with in common. */
export function commonPrefixLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) {
    length += 1;
  }
  return length;
}

/** The first `most` of the names: `a, b and 3 more`. */
export function firstOf(names: readonly string[], most: number): string {
  const left = names.length - most;
  return `${names.slice(0, most).join(', ')}${left > 0 ? ` and ${thousands(left)} more` : ''}`;
}

/** A value as findings show it: JSON, cut after `most` characters. */
export function show(value: unknown, most = 120): string {
  const text = value === undefined ? 'absent' : (JSON.stringify(value) ?? String(value));
  return text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;
}
