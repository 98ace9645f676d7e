/** The likely values of a field, likeliest first. `says`: what a refusal says of it. */
export type ValuesOf = (field: string, says?: string) => readonly unknown[];

/** Names that only frame a value: a locale, a type, or a word for any value. */
const frame = /^([a-z]{2}[-_][A-Z]{2}|en|id|ids|value|values|data|text|string)$/;

/**
 * The name that says what value fits a field inside the field `outer`. One that only frames a value does not:
 * `{"lead": {"en-US": …}}` holds a lead. In `{"end": {"dateTime": …}}`, as calendars have it, the outer name says which
 * time it is.
 */
export function tellingName(field: string, outer: string | undefined, valuesOf: ValuesOf): string {
  if (outer === undefined) {
    return field;
  }
  const isTimeOf = /^date_?time$/i.test(field) && valuesOf(outer).length > 0;
  return frame.test(field) || isTimeOf ? outer : field;
}
