/** Reasons for not running a mutant: it changes nothing that decides a verdict, or it cannot be switched on. */
export const reasons = {
  words: 'the words of findings and errors, which decide no verdict',
  names: 'names of endpoints, headers, fields and steps: nobody leaves one empty by mistake',
  filled: 'a list with an additional text: nobody adds one by mistake',
  loading: 'executed while a module loads, before it can be switched on',
  uncovered: 'not executed by any trial',
} as const;

export type Reason = keyof typeof reasons;

const forReaders = /^(message|expected|actual|place|what|label|says|title)$/;

/** The part of Babel's paths that is used here. */
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

/** Whether a node is a text for readers. */
export const areWords = ({ node, parent, key }: Path): boolean =>
  textOf(node).trim().split(/\s+/).length >= 3 ||
  (parent?.type === 'ObjectProperty' && key === 'value' && forReaders.test(parent.key?.name ?? ''));

/** The reason to leave out a mutant that could be switched on; undefined if there is none. */
export function reasonFor(mutator: string, original: string, replacement: string): Reason | undefined {
  if (mutator === 'StringLiteral') {
    return 'names';
  }
  if (replacement.includes('Stryker was here')) {
    return 'filled';
  }
  return mutator === 'ObjectLiteral' && /\bmessage(:|,)/.test(original) ? 'words' : undefined;
}
