import { at, type JsonObject, walk } from '../../../common/json.ts';
import { decoded } from '../../../common/uri.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { ownIds } from '../../session/reading/own-ids.ts';
import { rowsIn } from '../../session/reading/rows.ts';
import type { Session } from '../../session/session.ts';
import { wasDeleted } from '../clean-up/still-there.ts';
import { nounOf } from '../collections.ts';
import { isOrEndsWith } from './ids-in-row.ts';
import type { Unidentified } from './tried-ids.ts';

/**
 * Whether a list showed an id, in each field in which the answer to a create shows it, before the create was sent: then it is that
 * of another record, unless the run has deleted that one since, and counted ids are given out anew. A number may be that of an
 * account, too.
 */
export function wasKnownBefore(session: Session, made: Unidentified, id: string): boolean {
  const { api, evidence } = session;
  const noun = nounOf(made.collection);
  const rowsOf = ({ response }: Exchange): readonly JsonObject[] => rowsIn(at(response?.json, api.payload), noun) ?? [];
  const isEarlier = ({ endpoint, number, receivedAt, keyLabel }: Exchange): boolean =>
    endpoint === `GET ${made.collection}` &&
    number < made.answer.exchange.number &&
    receivedAt <= made.answer.exchange.sentAt &&
    isOfStore(keyLabel, made.maker.label);
  // What Location alone tells stands where reads show the id of their own path.
  const fieldsOfPaths = (): string[] => {
    const views = evidence.exchanges.filter(({ endpoint }) => endpoint === `GET ${made.collection}/:id`);
    const shown = views.flatMap(({ request, response }) => {
      const names = fieldsOf(response?.json, lastSegment(request.url));
      return names.length > 0 ? [new Set(names)] : [];
    });
    return [...(shown[0] ?? [])].filter((name) => shown.every((names) => names.has(name)));
  };
  const rows = evidence.exchanges.filter(isEarlier).flatMap(rowsOf);
  const [seen, all] = [new Set(rows.flatMap((row) => fieldsOf(row, id))), new Set(walk(rows).map(({ name }) => name))];
  const shownIn = fieldsOf(made.answer.payload, id);
  const fields = (shownIn.length > 0 ? shownIn : fieldsOfPaths()).filter((field) => all.has(field));
  const isShown = rows.some((row) => ownIds(row, noun).some((one) => one.id === id));
  return (fields.length === 0 ? isShown : fields.every((field) => seen.has(field))) && !wasDeleted(session, id);
}

/** The fields in which an id stands, or a path that ends with it. */
const fieldsOf = (root: unknown, id: string): string[] =>
  walk(root).flatMap(({ name, value }) => (isOrEndsWith(String(value), id) ? [name] : []));

const lastSegment = (url: string): string => decoded(new URL(url).pathname.split('/').at(-1) ?? '');

/** Whether a key reads the store in which a record was made: those of one workspace do; other stores may count ids alike. */
export const isOfStore = (label: string | null, maker: string): boolean =>
  label === maker || (/^WORKSPACE_/.test(label ?? '') && label !== 'WORKSPACE_OTHER_API_KEY');
