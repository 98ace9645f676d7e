import { coverage } from './bodies.ts';
import { bodyWords } from './describe.ts';
import { bodyFormOf } from './parts.ts';
import type { Scheme } from './scheme.ts';
import { nodeSnippet } from './snippet-node.ts';
import { pythonSnippet } from './snippet-python.ts';

/**
 * A complete verifying function for the scheme, for Node or Python, with nothing but their standard libraries. Where the
 * signature cannot be verified over the bytes received there is none, and one comment says so.
 */
export function snippet(scheme: Scheme, language: 'node' | 'python'): string {
  const obstacle = obstacleOf(scheme);
  if (obstacle !== undefined) {
    return `${language === 'node' ? '//' : '#'} No verifying function: ${obstacle}.\n`;
  }
  return language === 'node' ? nodeSnippet(scheme) : pythonSnippet(scheme);
}

function obstacleOf(scheme: Scheme): string | undefined {
  const { content, signature } = scheme;
  const form = bodyFormOf(scheme);
  if (form === undefined || coverage(form, signature.source) === 'none') {
    return 'the signature leaves the body out';
  }
  if (coverage(form, signature.source) === 're-serialised') {
    return `it is made over the ${bodyWords[form]}, not over the bytes sent`;
  }
  if (form === 'json-inside') {
    return `it is made over the ${bodyWords[form]}`;
  }
  const fromBody =
    content.kind === 'parts' && content.parts.some((part) => part.kind === 'value' && part.source.in === 'body');
  return signature.source.in === 'body' || fromBody
    ? 'the signature or a part of its content stands inside the body'
    : undefined;
}
