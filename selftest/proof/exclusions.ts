/**
 * Choices that no deployment makes together, or that together leave the suite nothing to read a deployment by, and why.
 * They are drawn and packed apart from each other.
 */
export const exclusions: Readonly<Record<string, string>> = {
  'developer-key-delay=second developer-lockout=403-after-20':
    'Calls with a new key that does not work yet count as calls with a bad key.',
  'event-payload=thin workspace-row-numbers=beside':
    'An event names nothing but a number that is no id of a booking, and no read shows whose it is.',
  'workspace-record-style=resource workspace-row-numbers=beside':
    'Of a number and the end of a path nothing shows which one is the id, where no call reads records by it.',
};

const sets = Object.keys(exclusions).map((text) => text.split(' '));

/** These choices without the last one of each set that is excluded. */
export function compatible(chosen: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const isChosen = (choice: string): boolean => chosen[choice.split('=')[0] ?? ''] === choice.split('=')[1];
  const left = new Set(sets.filter((parts) => parts.every(isChosen)).map((parts) => parts.at(-1)));
  return Object.fromEntries(Object.entries(chosen).filter(([name, value]) => !left.has(`${name}=${value}`)));
}
