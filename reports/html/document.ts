import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Markup, markup, trusted } from './markup.ts';

/** A page that holds all it needs: its own style and script, and nothing that a target managed to put into it. */
interface Page {
  readonly title: string;
  readonly conformant: boolean | null;
  readonly exitCode: number;
  /** Texts of style sheets and scripts; the page's policy names each by its hash. */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  readonly body: Markup;
  /** For libraries that size their canvas through style attributes. */
  readonly styleAttributes?: boolean;
}

/** A file beside this one, as text. */
export const part = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

const hashes = (texts: readonly string[]): string =>
  texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');

const policyOf = ({ styles, scripts, styleAttributes }: Page): string =>
  [
    "default-src 'none'",
    `style-src ${hashes(styles)}`,
    ...(styleAttributes ? ["style-src-attr 'unsafe-inline'"] : []),
    `script-src ${hashes(scripts)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** The whole document as text. */
export function documentText(page: Page): string {
  const made = markup`<!doctype html>
<html lang="en" data-conformant="${String(page.conformant)}" data-exit="${page.exitCode}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(page)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${page.title}</title>
${page.styles.map((style) => markup`<style>${trusted(style)}</style>`)}
</head>
<body>
${page.body}
${page.scripts.map((script) => markup`<script>${trusted(script)}</script>`)}
</body>
</html>`;
  return `${made.toString()}\n`;
}
