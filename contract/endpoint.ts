import type { Prefix } from './scopes.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A query parameter that a document names. */
export interface QueryParameter {
  readonly name: string;
  /** The documented values of a filter; absent where any value of the type goes. */
  readonly values?: readonly string[];
  readonly type: 'string' | 'integer' | 'number' | 'timestamp';
  /** The most an integer may be. */
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
  /** The module whose scopes it needs; null for sandbox, key management, and all of the workspace API. */
  readonly scope: Prefix | null;
  readonly query: readonly QueryParameter[];
  /** Documented fields of the body; null where the document shows none of them, undefined where there is no body. */
  readonly body?: readonly BodyField[] | null;
  /** The name in `contract/schemas.ts` of what is known of a success's data. */
  readonly schema?: 'campaigns' | 'healthScore' | 'pipeline' | 'seedResult';
  /** The clause that says the endpoint works: to blame when an arrangement needs it and it does not. */
  readonly clause: string;
}

/** Whether a call creates, changes or deletes, by its method: what WRITES allows or not. */
export const isWrite = (method: string): boolean => method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
