/** Why a mutant is not run: what it changes decides no verdict, or it cannot be switched. */
export const reasons = {
  words: 'the words of findings and errors, which decide no verdict',
  names: 'names of endpoints, headers, fields and steps: an empty one is no mistake that anybody makes',
  filled: 'a list that begins with a text nobody wrote: no mistake that anybody makes either',
  loading: 'run while a module loads, before it can be switched on',
  uncovered: 'passed by none of the trials',
} as const;

export type Reason = keyof typeof reasons;

const forReaders = /^(message|expected|actual|place|what|label|says|title)$/;

/** The part of Babel's paths that is looked at. */
interface Path {
  readonly node: {
    readonly type: string;
    readonly value?: unknown;
    readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
  };
  readonly key: unknown;
  readonly parent?: { readonly type: string; readonly key?: { readonly name?: string } };
}

const textOf = ({ type, value, quasis = [] }: Path['node']): string =>
  type === 'StringLiteral' ? String(value) : quasis.map((quasi) => quasi.value.raw).join('x');

/** Whether a node and all below it are words for readers. */
export const areWords = ({ node, parent, key }: Path): boolean =>
  textOf(node).trim().split(/\s+/).length >= 3 ||
  (parent?.type === 'ObjectProperty' && key === 'value' && forReaders.test(parent.key?.name ?? ''));

/** Why a mutant that could be switched on is left out all the same; undefined: it is not. */
export function reasonFor(mutator: string, original: string, replacement: string): Reason | undefined {
  if (mutator === 'StringLiteral') {
    return 'names';
  }
  if (replacement.includes('Stryker was here')) {
    return 'filled';
  }
  return mutator === 'ObjectLiteral' && /\bmessage(:|,)/.test(original) ? 'words' : undefined;
}
