/**
 * Choices that no deployment makes together, or that together leave the suite nothing to read a deployment by, and why.
 * They are drawn and packed apart from each other.
 */
export const exclusions: Readonly<Record<string, string>> = {
  'workspace-changeable=its-id workspace-id-field=named':
    'A change must repeat an id under a name that no record has: its refusals name neither field.',
};

const sets = Object.keys(exclusions).map((text) => text.split(' '));

/** These choices without the last one of each set that is excluded. */
export function compatible(chosen: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const isChosen = (choice: string): boolean => chosen[choice.split('=')[0] ?? ''] === choice.split('=')[1];
  const left = new Set(sets.filter((parts) => parts.every(isChosen)).map((parts) => parts.at(-1)));
  return Object.fromEntries(Object.entries(chosen).filter(([name, value]) => !left.has(`${name}=${value}`)));
}
