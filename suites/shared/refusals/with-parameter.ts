import type { Endpoint } from '../../../contract/endpoint.ts';

/** A call of an endpoint with one of its parameters, which other code may answer than the call without. */
interface CallWithParameter {
  readonly id: string;
  readonly query: Readonly<Record<string, string | number>>;
}

/** The reads among the endpoints whose parameters have a documented vocabulary or a number, each with one of them. */
export const withParameter = (endpoints: readonly Endpoint[]): readonly CallWithParameter[] =>
  endpoints.flatMap(({ id, query }) => {
    const known = query.find(({ values, type }) => values !== undefined || type === 'integer');
    return known === undefined ? [] : [{ id, query: { [known.name]: known.values?.[0] ?? 1 } }];
  });
