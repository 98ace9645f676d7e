import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Markup, markup, trusted } from './markup.ts';

/** A self-contained page. */
interface Page {
  readonly title: string;
  readonly conformant: boolean | null;
  readonly exitCode: number;
  /** The texts of style sheets and scripts. The page's security policy allows these alone, by their hashes. */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  readonly body: Markup;
}

/** The text of a file in the folder of a module. */
export const textBeside = (module: string, name: string): string => readFileSync(new URL(name, module), 'utf8');

/** The style sheet of all pages. */
export const pageStyle = textBeside(import.meta.url, 'style.css');

const hashes = (texts: readonly string[]): string =>
  texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');

const policyOf = ({ styles, scripts }: Page): string =>
  [
    "default-src 'none'",
    `style-src ${hashes(styles)}`,
    `script-src ${hashes(scripts)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** The text of the whole document. */
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
