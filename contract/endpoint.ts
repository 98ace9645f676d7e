import type { ApiName } from './clause.ts';
import type { Prefix } from './scopes.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A query parameter that a document names. */
export interface QueryParameter {
  readonly name: string;
  /** The documented values of a filter; absent if any value of the type is allowed. */
  readonly values?: readonly string[];
  readonly type: 'string' | 'integer' | 'number' | 'timestamp';
  /** The largest documented value of an integer. */
  readonly maximum?: number;
}

/** A body field that a document names. */
export interface BodyField {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'array' | 'open';
  readonly required: boolean;
}

/** One documented call. */
export interface Endpoint {
  /** `GET /api/v1/ads/campaigns`: method and path with `:id` in it, as the document writes them. */
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  /** The module whose scopes the call needs; null for sandbox and key management, and for all of the workspace API. */
  readonly scope: Prefix | null;
  readonly query: readonly QueryParameter[];
  /** Documented fields of the body; null if the document does not show the body, undefined if the call takes none. */
  readonly body?: readonly BodyField[] | null;
  /**
   * The name of the data's schema in `contract/schemas.ts`; undefined if the document does not show the data of a
   * success.
   */
  readonly schema?: 'campaigns' | 'healthScore' | 'pipeline' | 'seedResult';
  /**
   * The clause that requires the endpoint to work. It is blamed for other clauses that need the endpoint when it does
   * not.
   */
  readonly clause: string;
}

/**
 * Makes an endpoint of one API and module from its id, its clause (without the API's name) and what else is documented.
 */
export const endpointMaker =
  (api: ApiName, scope: Prefix | null) =>
  (id: `${Method} /${string}`, clause: string, rest: Partial<Endpoint> = {}): Endpoint => {
    const [method, path] = id.split(' ') as [Method, string];
    return { id, method, path, scope, query: [], clause: `${api}.${clause}`, ...rest };
  };

/** Whether a method creates, changes or deletes; the setting WRITES says where such calls may be sent. */
export const isWrite = (method: string): boolean => method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
