import { at, isObject } from '../../common/json.ts';
import type { ApiName } from '../../contract/clause.ts';

/** Whether JSON has a mark of an API's errors, documented in full or not: a gateway's errors have none. */
export const isOwnError = (api: ApiName, json: unknown): boolean =>
  api === 'developer'
    ? at(json, '/success') !== undefined || isObject(at(json, '/meta'))
    : isObject(at(json, '/error'));
