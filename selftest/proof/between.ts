import type { Clock } from '../../common/clock.ts';
import type { Transport, WireResponse } from '../../suites/session/transport/transport.ts';
import type { LocalDeliver } from '../../webhooks/inbox/inbox.ts';

/** A network on which each call takes `ms` milliseconds longer. */
export const slowedBy =
  (ms: number) =>
  (transport: Transport, clock: Clock): Transport =>
  async (request, bounds) => {
    await clock.sleep(ms);
    return transport(request, bounds);
  };

/** A deployment that answers creations of a path with nothing but a success, and lists nothing there. */
export const acknowledging =
  (path: string) =>
  (transport: Transport): Transport =>
  async (request, bounds) => {
    const answer = await transport(request, bounds);
    if (answer.status >= 300 || new URL(request.url).pathname !== path) {
      return answer;
    }
    const data = request.method === 'POST' ? { accepted: true } : { rows: [], total: 0 };
    const body: object = JSON.parse(answer.body.toString());
    return { ...answer, body: Buffer.from(JSON.stringify({ ...body, data })) };
  };

/** An account that is full of keys: each well-formed request for another key gets 403. */
export const full =
  (message: string) =>
  (transport: Transport): Transport =>
  async (request, bounds) => {
    if (request.method !== 'POST' || !request.url.includes('/developer/keys') || request.url.includes('/rotate')) {
      return transport(request, bounds);
    }
    const refused = await transport({ ...request, body: '{}' }, bounds);
    const body = JSON.parse(String(refused.body));
    const isKnown = refused.status === 400;
    return isKnown
      ? {
          ...refused,
          status: 403,
          body: Buffer.from(JSON.stringify({ ...body, error: { code: 'FORBIDDEN', message } })),
        }
      : refused;
  };

/** Only the first key that is sent, a given one, may list keys. */
export function listsForFirstKeyOnly(transport: Transport): Transport {
  let first: string | undefined;
  return async (request, bounds) => {
    const [, key] = request.headers.find(([name]) => name === 'X-API-Key') ?? [];
    first ??= key;
    const answer = await transport(request, bounds);
    const isList = request.method === 'GET' && /\/developer\/keys(\?|$)/.test(request.url);
    const error = { code: 'FORBIDDEN', message: 'Ask the owner' };
    const refused = () => ({ ...JSON.parse(String(answer.body)), success: false, data: null, error });
    return isList && answer.status === 200 && key !== first
      ? { ...answer, status: 403, body: Buffer.from(JSON.stringify(refused())) }
      : answer;
  };
}

/** A workspace that is so busy that each new webhook gets more events at once than a receiver keeps. */
export const busy =
  (transport: Transport, _: Clock, deliver: LocalDeliver): Transport =>
  async (request, bounds) => {
    const answer = await transport(request, bounds);
    const url = /"(http:\/\/inbox\.local\/[^"]+)"/.exec(request.body ?? '')?.[1];
    const events = request.method === 'POST' && answer.status < 300 && url !== undefined ? 600 : 0;
    for (let number = 1; number <= events; number += 1) {
      const body = JSON.stringify({
        id: `evt_${number}`,
        type: 'lead.routed',
        data: { id: `lead_of_others_${number}` },
      });
      await deliver({ method: 'POST', url: url ?? '', headers: { 'Content-Type': 'application/json' }, body });
    }
    return answer;
  };

/**
 * A deployment that answers every n-th creation in a collection with the id of a record that was there before: the first
 * or the last one of the list.
 */
export const namingAnother =
  (collection: string, every: number, which: 0 | -1) =>
  (transport: Transport): Transport => {
    let created = 0;
    let others: readonly string[] | undefined;
    return async (request, bounds) => {
      if (request.method !== 'POST' || new URL(request.url).pathname !== collection) {
        return transport(request, bounds);
      }
      others ??= idsIn(await transport({ ...request, method: 'GET', body: null }, bounds));
      const answer = await transport(request, bounds);
      const other = others?.at(which);
      created += answer.status < 300 ? 1 : 0;
      return answer.status < 300 && created % every === 0 && other !== undefined
        ? { ...answer, body: Buffer.from(String(answer.body).replace(/"id":"[^"]+"/, `"id":"${other}"`)) }
        : answer;
    };
  };

/** A deployment that answers rotations with the id of a key that its first list shows; calls `onOther` with that id. */
export const rotatingAnother =
  (which: 0 | -1, onOther: (id: string) => void) =>
  (transport: Transport): Transport => {
    let others: readonly string[] | undefined;
    return async (request, bounds) => {
      const answer = await transport(request, bounds);
      if (request.method === 'GET' && request.url.endsWith('/developer/keys')) {
        others ??= idsIn(answer);
      }
      const other = others?.at(which);
      if (other === undefined || answer.status >= 300 || !request.url.endsWith('/rotate')) {
        return answer;
      }
      onOther(other);
      return { ...answer, body: Buffer.from(String(answer.body).replace(/"id":"[^"]+"/, `"id":"${other}"`)) };
    };
  };

/** The ids of the rows of a list; undefined: it was refused. */
const idsIn = ({ status, body }: WireResponse): readonly string[] | undefined =>
  status === 200 ? [...String(body).matchAll(/"id":"([^"]+)"/g)].map(([, id = '']) => id) : undefined;

/** A deployment whose list of a path gives each row the id of the row `by` places further on. */
export const shiftingIds =
  (path: string, by: number) =>
  (transport: Transport): Transport =>
  async (request, bounds) => {
    const answer = await transport(request, bounds);
    if (request.method !== 'GET' || new URL(request.url).pathname !== path || answer.status >= 300) {
      return answer;
    }
    const body = JSON.stringify(JSON.parse(String(answer.body)), (_, value: unknown) => {
      const isList = Array.isArray(value) && value.length > 0 && value.every((one) => Object.hasOwn(Object(one), 'id'));
      const rows = isList ? (value as { readonly id: unknown }[]) : null;
      return rows?.map((row, at) => ({ ...row, id: rows.at((at + by) % rows.length)?.id })) ?? value;
    });
    return { ...answer, body: Buffer.from(body) };
  };

/** A deployment whose creates in a collection answer no id. */
export const namingNothing =
  (collection: string) =>
  (transport: Transport): Transport =>
  async (request, bounds) => {
    const answer = await transport(request, bounds);
    return request.method === 'POST' && new URL(request.url).pathname === collection && answer.status < 300
      ? { ...answer, body: Buffer.from(String(answer.body).replace(/"id":"[^"]+",?/, '')) }
      : answer;
  };

const collectionUrl = /\/(keys|agents|leads|bookings|webhooks)$/;

/** A gateway that sends every n-th creation twice, and passes the second answer on. */
export const creatingTwice =
  (every: number) =>
  (transport: Transport): Transport => {
    let creates = 0;
    return async (request, bounds) => {
      const isCreate = request.method === 'POST' && collectionUrl.test(request.url);
      creates += isCreate ? 1 : 0;
      if (isCreate && creates % every === 0) {
        await transport(request, bounds);
      }
      return transport(request, bounds);
    };
  };

/** A limiter that answers every n-th creation with 429 once it is made. */
export const limitingTooLate =
  (every: number) =>
  (transport: Transport): Transport => {
    let creates = 0;
    return async (request, bounds) => {
      const answer = await transport(request, bounds);
      const isCreate = collectionUrl.test(request.url) && request.method === 'POST' && answer.status < 300;
      creates += isCreate ? 1 : 0;
      return isCreate && creates % every === 0
        ? { ...answer, status: 429, headers: [...answer.headers, ['Retry-After', '1']], body: Buffer.from('{}') }
        : answer;
    };
  };
