/** A date as text: in ISO 8601, as in mail headers, in a national form, or as seconds or milliseconds since 1970. */
const date = /^\d{4}[-./]\d\d?[-./]\d|^\d\d?[-./]\d\d?[-./]\d{4}|^[A-Z][a-z]{2}, \d|^\d{10}(\d{3})?(\.\d+)?$/;

/** Whether a value is a date, or one with a time. */
export const isDate = (value: unknown): boolean =>
  (typeof value === 'string' && date.test(value)) || (typeof value === 'number' && value > 1e9);

/** The instant of a Unix time in seconds or milliseconds, in epoch milliseconds. */
export const instantOfUnix = (time: number): number => (time < 1e11 ? time * 1000 : time);
