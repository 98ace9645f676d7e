import type { Delivery } from '../delivery.ts';
import { distinctTexts, type Ingredient } from './ingredient.ts';
import { type UrlForm, urlText } from './url-forms.ts';

const ingredient = (form: UrlForm, delivery: Delivery): Ingredient => ({
  part: { kind: 'url', form },
  text: urlText(form, delivery),
});

/** The URL in these forms, in their order, leaving out repeated and empty texts. */
export const distinctUrls = (forms: readonly UrlForm[], delivery: Delivery): Ingredient[] =>
  distinctTexts(forms.map((form) => ingredient(form, delivery)).filter(({ text }) => text !== ''));

/**
 * The addresses that contents may hold, likeliest first: one form of the URL, or host, path and query as separate
 * pieces.
 */
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

/** The addresses with different texts in this delivery, each as its pieces. */
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
