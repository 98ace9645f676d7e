import type { Delivery } from '../delivery.ts';

type Called = Pick<Delivery, 'url' | 'registeredUrl'>;

const parsed = ({ registeredUrl }: Called): URL | null => URL.parse(registeredUrl);

/** The forms of a URL. If the registered one cannot be parsed, it stays as it is, and hosts are empty. */
const urlForms = {
  registered: ({ registeredUrl }) => registeredUrl,
  normalised: (called) => parsed(called)?.href ?? called.registeredUrl,
  'without-query': ({ registeredUrl }) => registeredUrl.split('?')[0] ?? '',
  /** With the path and query of the delivery. */
  'as-called': (called) => (parsed(called)?.origin ?? '') + called.url,
  'path-query': ({ url }) => url,
  path: ({ url }) => url.split('?')[0] ?? '',
  /** Without its question mark. */
  query: ({ url }) => url.split('?')[1] ?? '',
  /** With the port, if there is one. */
  host: (called) => parsed(called)?.host ?? '',
  hostname: (called) => parsed(called)?.hostname ?? '',
} as const satisfies Readonly<Record<string, (called: Called) => string>>;

export type UrlForm = keyof typeof urlForms;
export const urlFormNames = Object.keys(urlForms) as UrlForm[];

export const urlText = (form: UrlForm, called: Called): string => urlForms[form](called);
