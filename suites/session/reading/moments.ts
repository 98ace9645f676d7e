import { scalarText } from '../../../common/json.ts';

/** A date as text: in ISO 8601, as in mail headers, in a national form, or as seconds or milliseconds since 1970. */
const moment = /^\d{4}[-./]\d\d?[-./]\d|^\d\d?[-./]\d\d?[-./]\d{4}|^[A-Z][a-z]{2}, \d|^\d{10}(\d{3})?(\.\d+)?$/;

/** Whether a value is a date, or one with a time. */
export const isMoment = (value: unknown): boolean =>
  (typeof value === 'string' && moment.test(value)) || (typeof value === 'number' && value > 1e9);

/** The instant of a date, in epoch milliseconds: a number, or text of one, is a Unix time in s or ms. NaN: no date. */
export function instantOf(value: unknown): number {
  if (!isMoment(value)) {
    return Number.NaN;
  }
  const unixTime = Number(value);
  if (Number.isNaN(unixTime)) {
    return Date.parse(scalarText(value) ?? '');
  }
  return unixTime < 1e11 ? unixTime * 1000 : unixTime;
}
