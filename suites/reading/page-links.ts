import { at, isObject, scalarText, walk } from '../../common/json.ts';

/** The body of a page, and its headers: they may say how the list goes on. */
export interface PageBody {
  readonly json: unknown;
  header(name: string): string | null;
  /** How the list goes on, where the user says in which field. */
  readonly next?: { readonly name: string; readonly value: unknown } | undefined;
  /** Its rows, with what is told of their places; undefined: they are looked for. */
  readonly payload?: unknown;
}

/** A link from a page to another one. */
interface PageLink {
  readonly url: string;
  /** Where the link is, in words. */
  readonly style: string;
}

type Relation = 'next' | 'last';

/** A page's link to the next or last page: in a Link header, a field, or an object or list of links. */
export const linkTo = (relation: Relation, page: PageBody): PageLink | undefined =>
  inHeader(relation, page.header('Link')) ?? inFields(relation, page.json) ?? inListOfLinks(relation, page.json);

function inHeader(relation: Relation, header: string | null): PageLink | undefined {
  const url = new RegExp(`<([^<>]*)>\\s*;[^,<]*rel="?${relation}"?`, 'i').exec(header ?? '')?.[1];
  return url === undefined ? undefined : { url, style: 'Link header' };
}

const isLink = (value: unknown): value is string => typeof value === 'string' && /^(https?:\/\/|\/|\?)/.test(value);

/** `next`, `next_page_url`, `nextRecordsUrl`, `@odata.nextLink`, `hydra:next`: a link, or an object that has one. */
function inFields(relation: Relation, json: unknown): PageLink | undefined {
  const name = new RegExp(
    `^(@?\\w+[.:])?${relation}(_?(page|cursor|token|offset)|_?[a-z]*?_?(url|link|href|uri|path))?$`,
    'i',
  );
  for (const found of walk(json)) {
    if (!found.isInList && name.test(found.name)) {
      const url = [found.value, at(found.value, '/href'), at(found.value, '/url')].find(isLink);
      if (url !== undefined) {
        return { url, style: `link in ${found.name}` };
      }
    }
  }
  return undefined;
}

/** `[{"rel": "next", "href": "…"}]`, `[{"label": "Next &raquo;", "url": "…"}]`. */
function inListOfLinks(relation: Relation, json: unknown): PageLink | undefined {
  for (const { name, value } of walk(json)) {
    if (!/^_?links$/i.test(name) || !Array.isArray(value)) {
      continue;
    }
    const links = value.filter(isObject);
    const link = links.find(({ rel, label }) =>
      new RegExp(`\\b${relation}\\b`, 'i').test(scalarText(rel ?? label) ?? ''),
    );
    const url = [link?.href, link?.url].find(isLink);
    if (url !== undefined) {
      return { url, style: 'list of links' };
    }
  }
  return undefined;
}
