import { nodeSnippet } from './code/node.ts';
import { pythonSnippet } from './code/python.ts';
import { bodyFormOf, coverageOf } from './content.ts';
import { bodyForms } from './read/body-forms.ts';
import type { Scheme } from './scheme.ts';

/**
 * A complete function that verifies deliveries, in JavaScript for Node or in Python, without further libraries. If a
 * signature cannot be verified over the bytes received, only a comment that says so.
 */
export function snippet(scheme: Scheme, language: 'node' | 'python'): string {
  const obstacle = obstacleOf(scheme);
  if (obstacle !== undefined) {
    return `${language === 'node' ? '//' : '#'} No verifying function: ${obstacle}.\n`;
  }
  return language === 'node' ? nodeSnippet(scheme) : pythonSnippet(scheme);
}

function obstacleOf(scheme: Scheme): string | undefined {
  const form = bodyFormOf(scheme);
  const covered = coverageOf(scheme);
  if (form === undefined || covered === 'none') {
    return 'the signature leaves the body out';
  }
  if (covered === 're-serialised') {
    return `it is made over the ${bodyForms[form].words}, not over the bytes sent`;
  }
  if (form === 'json-inside') {
    return `it is made over the ${bodyForms[form].words}`;
  }
  const inBody = scheme.signature.source.in === 'body' && scheme.content.kind !== 'jws';
  return inBody ? 'the signature is inside the body' : undefined;
}
