import { type Endpoint, isWrite } from '../../contract/endpoint.ts';
import { isEndpoint } from '../../contract/endpoints.ts';

// A collection is named by its path, `/v1/agents`, which lists and creates its records; `/v1/agents/:id` is one of
// them.

/** The noun for a record of a collection: `agent`. */
export const nounOf = (collection: string): string => (collection.split('/').at(-1) ?? '').replace(/s$/, '');

/** Whether the API has a call that deletes a record of the collection. */
export const canDelete = (collection: string): boolean => isEndpoint(`DELETE ${collection}/:id`);

/** Whether the API has a call that changes or deletes a record of the collection. */
export const canChange = (endpoints: readonly Endpoint[], collection: string): boolean =>
  endpoints.some(({ method, path }) => isWrite(method) && path.startsWith(`${collection}/:id`));

/** A read that names a record of the collection by its id, if there is one. `isView`: it shows the record itself. */
export function readingOf(
  endpoints: readonly Endpoint[],
  collection: string,
): { readonly id: string; readonly isView: boolean } | undefined {
  const reading = endpoints.find(({ method, path }) => method === 'GET' && path.startsWith(`${collection}/:id`));
  return reading && { id: reading.id, isView: reading.path === `${collection}/:id` };
}
