import { decoded, encoded } from '../../../common/uri.ts';
import type { Api } from '../api.ts';

/** A record as paths name it. */
interface NamedRecord {
  /** `/v1/agents/7`: its collection, and its id as paths have it. */
  readonly name: string;
  readonly id: string;
}

/** The name of a record, from its collection and its id. */
export const nameOf = (collection: string, id: string): string => `${collection}/${encoded(id)}`;

/** The record that the path of a call names: `/v1/agents/7` in `/v1/agents/7/usage`; undefined where it names none. */
export function namedBy<S>({ endpoints }: Pick<Api<S>, 'endpoints'>, path: string): NamedRecord | undefined {
  for (const { path: documented } of endpoints.filter((endpoint) => endpoint.path.includes(':id'))) {
    const [before = ''] = documented.split(':id');
    const id = path.startsWith(before) ? path.slice(before.length).split('/')[0] : undefined;
    if (id !== undefined && id !== '') {
      return { name: before + id, id: decoded(id) };
    }
  }
  return undefined;
}
