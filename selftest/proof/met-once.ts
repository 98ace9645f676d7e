import type { Api } from '../../contract/clause.ts';

/** Choices that were judged wrongly where they met, drawn at random and shrunk to those that matter: proven ever since. */
const met: Readonly<Record<Api, readonly string[]>> = {
  developer: [
    // A key that was deleted to make room went on making others.
    'developer-key-cap=five developer-stranger-headers=dash developer-lockout=403-after-20',
    // Its own calls and others' seemed apart where a minute ended between them.
    `developer-seeding=refused-400 developer-thread-context=object developer-draft-values=known-skills
     developer-content-values=own-products-friendly developer-key-list-age=late developer-list-pages=twenty-total
     developer-accidents=a-503-each developer-limiter=first-call developer-counted=not-403-404 developer-retry-after=date
     developer-stranger-limit=40 developer-budget=account developer-other-method=400`,
    `developer-key-delay=half-second developer-key-cap=five developer-limiter=sliding-counter developer-counted=not-403
     developer-retry-after=date developer-stranger-limit=40 developer-budget=account`,
    // A refilling bucket of another size explained it, too.
    `developer-rotated-secret=lives-a-minute developer-undocumented-body=audits-need-one
     developer-content-values=own-products developer-word-count=text developer-min-spend=tens
     developer-latency=slow-models developer-accidents=a-503-each developer-limiter=sliding-counter
     developer-retry-after=none developer-stranger-limit=40`,
    // A call with two keys was to show whether one of them is locked out.
    `developer-precedence=refused-401 developer-limiter=sliding-counter developer-retry-after=date
     developer-budget=account developer-lockout=403-by-prefix`,
  ],
  workspace: [
    // An id that was made up was a record's.
    `workspace-ids=dated workspace-agent-body=typed webhook-events-field=enabled_events event-others=all
     webhook-secret-place=header workspace-stock=hundreds`,
    // What was called before the drive weighs.
    'workspace-limiter=sliding-counter workspace-shown-window=day',
    // A delivery that carries a challenge names its event in an object of its own.
    'event-payload=jsonapi event-envelope=challenge',
    // The list that was driven came to megabytes.
    `workspace-extra-fields=many workspace-list-shape=named workspace-references=escalation workspace-stock=hundreds
     workspace-json-text=indented`,
  ],
};

const chosenIn = (line: string): Readonly<Record<string, string>> =>
  Object.fromEntries(line.split(/\s+/).map((pair) => pair.split('=') as [string, string]));

/** Each as a correct deployment. */
export const metOnce = (['developer', 'workspace'] as const).flatMap((api) =>
  met[api].map((line) => ({ api, name: line.split(/\s+/).join(' '), chosen: chosenIn(line) })),
);
