import { createHash } from 'node:crypto';

/**
 * What the suites cannot judge correctly yet, and why: ids of faults, `choice=value`, names of profiles, several
 * choices together (`and others` stands for any others), or `combination` with the digest of a random one. The proof
 * runs these too, and fails if a fault or a single choice is judged correctly, so that its line is removed.
 */
export const pending: Readonly<Record<string, string>> = {
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
  'workspace-ids=alike workspace-page-size=three workspace-create-answer=bare-id workspace-row-numbers=beside':
    "The same, where a page shows three webhooks: one of the run's is deleted in the place of another one of its own.",
  'workspace-ids=alike workspace-list-order=oldest-first workspace-row-numbers=beside':
    "The same, where both numbers of the agent that is to tell are alike: one of the run's own webhooks goes in another's place.",
  'webhook-signature=http-signature event-envelope=in-query':
    'The signed request-target is that of the registered URL, to which the sender adds a query afterwards: only the target of the request is tried, so that signatures stay undecided.',
  'workspace-unknown-fields=refused workspace-name-binding=pascal-case':
    'Refusals name unknown fields as a table has them, and missing ones as the code has them: all tries are used up.',
  'workspace-unknown-fields=refused workspace-name-binding=pascal-case-nested': 'The same.',
  'workspace-agent-body=persona workspace-name-binding=pascal-case-nested': 'The same, with two objects to be filled.',
  'workspace-references=alone workspace-name-binding=pascal-case-nested':
    'Answers to creates show an id and a reference alone, in two spellings: leads stay without being named.',
  'workspace-create-answer=id workspace-name-binding=pascal-case':
    'The answer is nothing but an id, which the reference then spells as if it were a record.',
  'workspace-changeable=configuration workspace-error-fields=empty-message workspace-name-binding=pascal-case':
    'No refusal says which spelling is wanted, and the agent has no configuration that could be changed.',
  'workspace-booking-body=wrapped workspace-create-answer=message workspace-name-binding=pascal-case-nested':
    'The same for an answer that is nothing but a message.',
  'workspace-kept-fields=name workspace-error-fields=empty-message workspace-name-binding=pascal-case':
    'No refusal has a message that says which spelling an update wants, and a name that is sent in another one is not stored.',
  'workspace-lead-columns=notes workspace-lead-body=listed workspace-name-binding=pascal-case-nested':
    'A lead whose fields were all spelled otherwise has none of the words of the run: it stays without being named.',
  'workspace-agent-body=tier workspace-permissions=no-agents workspace-unknown-fields=refused':
    'The field that bodies must have is refused as unknown: no agent can be created, so nothing shows that the limited key may make none.',
  'developer-learnt-skills=after-review developer-nested-bodies=wrapped developer-unfiltered=only-the-first developer-created-shown=late developer-posts-move=to-review':
    'Accepted updates come late, to a list that shows only the first one: nothing tells what refused ones leave behind.',
  'developer-key-copies=copied-in-words developer-key-fields=made-by-key developer-key-list=first-page-only':
    'Each row has two ids of keys, copies have the words of the keys, and no further page can be read: no id is proven.',
  'combination 405a5a12c1':
    'Two calls that segments still count from before the drive, while headers show the day, are taken for calls of others.',
};

/** The name of a combination for the list: a digest, since names of combinations have over a thousand characters. */
const nameInList = (name: string): string =>
  name.length > longestName ? `combination ${createHash('sha256').update(name).digest('hex').slice(0, 10)}` : name;
const longestName = 500;

export const isPending = (name: string): boolean => Object.hasOwn(pending, nameInList(name));

/** The choices of a combination, without pending ones. */
export function judgeable(chosen: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const isChosen = (choice: string): boolean => chosen[choice.split('=')[0] ?? ''] === choice.split('=')[1];
  const unjudged = Object.keys(pending)
    .map((name) => name.split(' ').filter((part) => part.includes('=')))
    .filter((parts) => parts.length > 0 && parts.every(isChosen))
    .flatMap((parts) => parts.slice(-1));
  return Object.fromEntries(Object.entries(chosen).filter(([name, value]) => !unjudged.includes(`${name}=${value}`)));
}
