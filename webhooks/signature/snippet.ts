import { nodeSnippet } from './code/node.ts';
import { pythonSnippet } from './code/python.ts';
import { bodyFormOf } from './content.ts';
import { coverage } from './read/bodies.ts';
import { bodyForms } from './read/body-forms.ts';
import type { Scheme } from './scheme.ts';

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
  const covered = form === undefined ? 'none' : coverage(form, signature.source);
  if (form === undefined || covered === 'none') {
    return 'the signature leaves the body out';
  }
  if (covered === 're-serialised') {
    return `it is made over the ${bodyForms[form].words}, not over the bytes sent`;
  }
  if (form === 'json-inside') {
    return `it is made over the ${bodyForms[form].words}`;
  }
  return signature.source.in === 'body' && content.kind !== 'jws' ? 'the signature stands inside the body' : undefined;
}
