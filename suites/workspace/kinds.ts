import type { Endpoint } from '../../contract/endpoint.ts';

export type Kind = 'agents' | 'leads' | 'bookings' | 'webhooks';

export const kinds: readonly Kind[] = ['agents', 'leads', 'bookings', 'webhooks'];

/** The collection of a kind of record. */
export const pathOf = (kind: Kind): string => `/v1/${kind}`;

/** The kind of record that an endpoint is about. */
export const kindOf = ({ path }: Pick<Endpoint, 'path'>): Kind => path.split('/')[2] as Kind;

// The documented calls on a kind, as `GET /v1/agents`.

export const listing = (kind: Kind): string => `GET /v1/${kind}`;
export const creating = (kind: Kind): string => `POST /v1/${kind}`;
export const reading = (kind: Readable): string => `GET /v1/${kind}/:id`;
export const changing = (kind: Readable): string => `PATCH /v1/${kind}/:id`;
export const deleting = (kind: Deletable): string => `DELETE /v1/${kind}/:id`;

/** Kinds whose records can be read by id, and changed. */
export type Readable = 'agents' | 'leads';
export const isReadable = (kind: Kind): kind is Readable => kind === 'agents' || kind === 'leads';
/** Kinds whose records can be deleted. */
export type Deletable = Exclude<Kind, 'leads'>;
