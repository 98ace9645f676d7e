/**
 * Choices that no deployment makes together, or that together leave the suite nothing to read a deployment by, and why.
 * They are drawn and packed apart from each other.
 */
export const exclusions: Readonly<Record<string, string>> = {
  'developer-key-list=first-page-only developer-rotation=secret-of-new-record':
    'Nothing shows the ids of rotated keys: they stay, named, and may fill the account.',
  'developer-key-cap=four-429 developer-retry-after=none developer-stranger-limit=40':
    'Two kinds of 429 without a word of their end: keys that are to be counted may be made early, and keep the account full.',
  'developer-key-fields=account-first developer-key-list=first-page-only':
    'No answer shows the id of a key that the run made, but a page of the list that nothing leads to.',
  'developer-key-fields=metadata developer-key-list=first-page-only': 'The same.',
  'workspace-ids=numeric workspace-row-numbers=bookings':
    "Two numbers, in a list that does not say whether it ends: which one paths take cannot be told without a risk to another's booking.",
  'workspace-ids=alike workspace-row-numbers=bookings': 'The same.',
  'workspace-ids=reused workspace-row-numbers=bookings': 'The same.',
  'workspace-ids=alike workspace-row-numbers=beside':
    "Where a page shows few rows, both numbers of the row that is to tell are alike: one of the run's own records goes in another's place.",
  'workspace-ids=alike workspace-row-numbers=beside-public': 'The same.',
  'workspace-changeable=its-id workspace-id-field=named':
    'A change must repeat an id under a name that no record has: its refusals name neither field.',
  'webhook-signature=http-signature event-envelope=in-query':
    'The signed request-target is that of the registered URL, to which the sender adds a query afterwards.',
  'workspace-agent-body=tier workspace-permissions=no-agents workspace-unknown-fields=refused':
    'The field that bodies must have is refused as unknown: no agent can be created, so nothing shows that the limited key may make none.',
};

const sets = Object.keys(exclusions).map((text) => text.split(' '));

/** These choices without the last one of each set that is excluded. */
export function compatible(chosen: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const isChosen = (choice: string): boolean => chosen[choice.split('=')[0] ?? ''] === choice.split('=')[1];
  const left = new Set(sets.filter((parts) => parts.every(isChosen)).map((parts) => parts.at(-1)));
  return Object.fromEntries(Object.entries(chosen).filter(([name, value]) => !left.has(`${name}=${value}`)));
}
