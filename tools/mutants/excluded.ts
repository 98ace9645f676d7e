/** What is not mutated although it could be, and why. */
export const excluded = {
  wording:
    'The words of a finding are no verdict: texts of three words or more, and the fields of findings that are for readers ' +
    '(message, expected, actual, place, what, label, says).',
  words: 'The words of a finding are no verdict: functions that put into words what was decided before.',
  messages:
    'The texts of errors that are thrown: who catches them looks at their class; what blames a clause (cause) is mutated.',
  names:
    'Names of endpoints, headers, fields, keys and steps, and parts of texts: an empty one is no mistake that anybody makes.',
  filled: 'A list that begins with a text nobody wrote: no mistake that anybody makes either.',
  findings: 'A finding without any of its fields: whether there is one decides, and the wording is another matter.',
} as const;

/** The part of Babel's paths that is looked at. */
interface Path {
  readonly node: {
    readonly type: string;
    readonly value?: unknown;
    readonly id?: { readonly name?: string } | null;
    readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
    readonly properties?: readonly { readonly key?: { readonly name?: string } }[];
  };
  readonly key: unknown;
  readonly listKey?: unknown;
  readonly parent?: {
    readonly type: string;
    readonly key?: { readonly name?: string };
    readonly callee?: { readonly name?: string };
  };
}

const forReaders = /^(message|expected|actual|place|what|label|says|title)$/;
/** Functions that put into words what was decided before. */
const wordMakers =
  /^(cameOf|messageOf|nameOf|namesOf|show|traceIdOf|groupFinding|kindOf|bodyFound|uuidTrouble|timestampTrouble|clockTrouble|codeFound)$/;
const errors = /^(Error|Skipped|CannotRun|Inconclusive)$/;

function textOf({ type, value, quasis = [] }: Path['node']): string {
  if (type === 'StringLiteral') {
    return String(value);
  }
  return type === 'TemplateLiteral' ? quasis.map((quasi) => quasi.value.raw).join('x') : '';
}

/** Why StrykerJS's instrumenter is to leave a node and all below it alone; undefined: it is mutated. */
export function shouldIgnore(path: Path): string | undefined {
  const { node, parent, key, listKey } = path;
  if (textOf(node).trim().split(/\s+/).length >= 3) {
    return excluded.wording;
  }
  if (parent?.type === 'ObjectProperty' && key === 'value' && forReaders.test(parent.key?.name ?? '')) {
    return excluded.wording;
  }
  if (node.type === 'FunctionDeclaration' && wordMakers.test(node.id?.name ?? '')) {
    return excluded.words;
  }
  const text = node.type === 'StringLiteral' || node.type === 'TemplateLiteral';
  if (text && listKey === 'arguments' && parent?.type === 'NewExpression' && errors.test(parent.callee?.name ?? '')) {
    return excluded.messages;
  }
  return undefined;
}

/** Why a mutant, which the instrumenter made, is not run all the same; null: it is. The place of it still tells where a run passes. */
export function leftOut({
  mutator,
  original,
  replacement,
}: {
  mutator: string;
  original: string;
  replacement: string;
}): string | null {
  if (mutator === 'StringLiteral') {
    return excluded.names;
  }
  if (replacement.includes('Stryker was here')) {
    return excluded.filled;
  }
  return mutator === 'ObjectLiteral' && /\bmessage(:|,)/.test(original) ? excluded.findings : null;
}
