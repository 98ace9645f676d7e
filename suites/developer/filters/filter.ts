import { isObject, type JsonObject } from '../../../common/json.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import type { Condition, RecordList } from './record-sets.ts';

/** A filter of a list, as conditions that are judged. */
export interface Filter {
  readonly list: RecordList;
  /** The query parameter, or several in words. */
  readonly parameter: string;
  /** The clause that judges it. */
  readonly clause: string;
  readonly conditions: readonly Condition[];
  /** Whether the conditions are the values of a closed vocabulary: a record matches one of them. */
  readonly isVocabulary: boolean;
}

const campaigns: RecordList = { endpoint: 'GET /api/v1/ads/campaigns', noun: 'campaign' };
export const leads: RecordList = { endpoint: 'GET /api/v1/developer/export/leads', noun: 'lead' };
const posts: RecordList = { endpoint: 'GET /api/v1/content/posts', noun: 'post' };

/** The list of bookings, which takes a window beside a status. */
export const bookings: RecordList = { endpoint: 'GET /api/v1/developer/export/bookings', noun: 'booking' };

/** The filters that take a closed vocabulary. */
export const vocabularies = {
  campaigns: vocabulary(campaigns, 'status', 'developer.ads.campaigns-status'),
  bookings: vocabulary(bookings, 'status', 'developer.scheduling.bookings-status'),
  leads: vocabulary(leads, 'status', 'developer.scheduling.leads-status'),
  sources: vocabulary(leads, 'source', 'developer.scheduling.leads-source'),
  posts: vocabulary(posts, 'status', 'developer.content.posts-status'),
};

function vocabulary(list: RecordList, parameter: string, clause: string): Filter {
  const values = endpointOf(list.endpoint).query.find(({ name }) => name === parameter)?.values ?? [];
  const conditions = values.map((value): Condition => {
    const matches: Condition['matches'] = (row) => {
      const shown = shownValue(row, list.noun, parameter);
      return values.some((one) => isSameWord(one, shown)) ? isSameWord(value, shown) : 'unknown';
    };
    const label = `${parameter}=${value}`;
    return { query: { [parameter]: value }, label, matches, expected: `the ${list.noun}s with ${parameter} ${value}` };
  });
  return { list, parameter, clause, conditions, isVocabulary: true };
}

const isSameWord = (value: string, shown: unknown): boolean =>
  typeof shown === 'string' && shown.toLowerCase() === value.toLowerCase();

/** What a record shows in a field of the parameter's name, in whatever case, at its top or in its attributes. */
function shownValue(row: JsonObject, noun: string, parameter: string): unknown {
  const names = [parameter, `${noun}_${parameter}`, `${noun}${parameter}`];
  const places = [row, ...['attributes', 'fields', 'properties', noun].map((name) => row[name])].filter(isObject);
  return places
    .flatMap((place) => Object.entries(place))
    .find(([name, value]) => names.includes(name.toLowerCase()) && typeof value === 'string')?.[1];
}
