import type { Delivery } from '../delivery.ts';
import type { UrlForm } from '../scheme.ts';
import { distinctTexts, type Ingredient } from './ingredient.ts';

/** The URL in one of its forms; where the registered one cannot be parsed, as registered, and hosts are empty. */
export function urlText(form: UrlForm, { url, registeredUrl }: Pick<Delivery, 'url' | 'registeredUrl'>): string {
  const parsed = URL.canParse(registeredUrl) ? new URL(registeredUrl) : undefined;
  const [path = '', query = ''] = url.split('?');
  const texts: Readonly<Record<UrlForm, string>> = {
    registered: registeredUrl,
    normalised: parsed?.href ?? registeredUrl,
    'without-query': registeredUrl.split('?')[0] ?? '',
    'as-called': parsed === undefined ? url : parsed.origin + url,
    'path-query': url,
    path,
    query,
    host: parsed?.host ?? '',
    hostname: parsed?.hostname ?? '',
  };
  return texts[form];
}

const ingredient = (form: UrlForm, delivery: Delivery): Ingredient => ({
  part: { kind: 'url', form },
  text: urlText(form, delivery),
});

/** The forms that differ in this delivery, in the order given. */
export const distinctUrls = (forms: readonly UrlForm[], delivery: Delivery): Ingredient[] =>
  distinctTexts(forms.map((form) => ingredient(form, delivery)).filter(({ text }) => text !== ''));

/** How contents say where a request goes, likeliest first: one form of the URL, or host, path and query as pieces of their own. */
const addressForms: readonly (readonly UrlForm[])[] = [
  ['path-query'],
  ['path'],
  ['registered'],
  ['as-called'],
  ['host', 'path-query'],
  ['host', 'path'],
  ['path', 'query'],
  ['without-query'],
  ['host'],
  ['host', 'path', 'query'],
  ['normalised'],
  ['hostname', 'path-query'],
  ['hostname', 'path'],
  ['hostname'],
  ['query'],
];

/** The addresses that differ in this delivery, each as the pieces that a content joins. */
export function addressesOf(delivery: Delivery): (readonly Ingredient[])[] {
  const distinct = new Map<string, readonly Ingredient[]>();
  for (const forms of addressForms) {
    const pieces = forms.map((form) => ingredient(form, delivery));
    const key = pieces.map(({ text }) => text).join('\n');
    if (pieces.some(({ text }) => text !== '') && !distinct.has(key)) {
      distinct.set(key, pieces);
    }
  }
  return [...distinct.values()];
}
