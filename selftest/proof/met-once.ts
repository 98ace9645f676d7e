import type { Api } from '../../contract/clause.ts';
import { choicesIn } from '../../fixtures/reference/vary.ts';

/** Choices that were judged wrongly where they met, drawn at random and shrunk to those that matter: proven ever since. */
const met: Readonly<Record<Api, readonly string[]>> = {
  developer: [
    // The id of a rotated key stood in the list alone, and the record that was stood beside the new secret.
    'developer-key-fields=account-first developer-rotation=previous-and-current',
    // The id of the key that made another, which is how its secret begins, was tried as the new key.
    'developer-key-ids=beginning developer-key-fields=made-by-key developer-key-nesting=sentence',
    // Two lists beside one another were none, since a word stood beside them.
    'developer-grouped-exports=two-lists developer-extra-fields=data',
    // Segments held the calls of the minute before: a refusal that they explain was called early.
    `developer-key-cap=two developer-list-pages=twenty-page-unsaid developer-latency=slow-models developer-created-shown=late
     developer-posts-move=to-review developer-accidents=a-503-each developer-limiter=segments developer-retry-after=none
     developer-budget=account developer-unknown-path=before-key`,
    // Where the id of a rotated key stands is known from its creation.
    'developer-key-fields=metadata developer-rotation=previous-and-current',
    // A uid that no path takes stood nearer to the new secret than the path that ends with the id.
    'developer-key-fields=path-as-name developer-key-nesting=details developer-rotation=previous-and-current',
    'developer-key-fields=path-as-name developer-key-nesting=details developer-key-list=first-page-only developer-rotation=successor',
    // Keys of one account were told the same, little Remaining, and seemed to have budgets of their own.
    `developer-key-delay=half-second developer-undocumented-body=all-before-scope developer-thread-context=nested
     developer-accidents=a-broken-connection-each developer-limiter=sliding-counter developer-retry-after=none
     developer-budget=account`,
    // The last read of a drive was answered before earlier ones, and not made once more.
    `developer-seeding=refused-409 developer-key-delay=second-and-half developer-deletion-delay=second-and-half
     developer-content-values=unknown developer-learnt-skills=after-review developer-unknown-filter=first
     developer-statuses-held=not-the-last developer-key-fields=metadata developer-deleted-keys=usage-stays
     developer-usage-days=empty developer-key-cap=five developer-list-place=page developer-keyword-list=strings
     developer-export-length=four developer-list-pages=twenty-total developer-accidents=a-503-now-and-then
     developer-limiter=first-call developer-counted=not-400 developer-retry-after=date developer-budget=account
     developer-lockout=401-after-10`,
    // The call that was to show a lockout met a server that was starting.
    'developer-accidents=a-503-now-and-then developer-lockout=403-in-a-burst developer-stranger-limit=100',
    // Rotation shows no id, and the list calls none so: the field that showed it at creation does.
    'developer-key-fields=german developer-rotation=secret-of-new-record',
    // The list still showed the record that was, by a path that ends with its id: it was taken for the one that rotation had made.
    `developer-key-delay=second developer-key-fields=path-as-name developer-rotation=secret-of-new-record
     developer-key-list-age=late`,
    // A uid that no path takes was believed to be the id of a record that rotation had made.
    'developer-key-fields=path-as-name developer-key-nesting=details',
    // What begins as secrets do was learnt whole, its prefix too: the same URL was recorded in two ways.
    'developer-key-ids=beginning developer-key-fields=made-by-key developer-accidents=a-503-each',
    // A live key that was let in while a limit was tried stayed: the sandbox key, which sees those of the sandbox alone, looked for it.
    `developer-keys-seen=sandbox-sees-sandbox developer-key-delay=second developer-draft-values=skill-ids
     developer-content-values=own-products-friendly developer-min-spend=tens developer-window-field=made
     developer-list-pages=twenty-page-unsaid developer-latency=slow-models developer-accidents=a-500-each
     developer-limiter=odd-phase`,
    // A call with another key of the account asked whether a lockout was over, just before the key was driven again.
    `developer-accidents=a-broken-connection-each developer-limiter=sliding-counter developer-retry-after=date
     developer-budget=account developer-lockout=401-after-10`,
    // The only list of objects told of filters: the records were rows of values.
    'developer-export-format=rows-of-values developer-beside-lists=columns',
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
    // New keys that were not known yet locked the address out, and a key without a scope got 401.
    `developer-key-delay=second-and-half developer-accidents=a-broken-connection-each developer-limiter=sliding-log
     developer-stranger-limit=100 developer-lockout=401-after-10`,
    // A call with two keys was to show whether one of them is locked out.
    `developer-precedence=refused-401 developer-limiter=sliding-counter developer-retry-after=date
     developer-budget=account developer-lockout=403-by-prefix`,
    // A rotation that shows a secret alone made another record, in a list that shows two keys.
    'developer-rotation=secret-of-new-record developer-key-list=small-newest-first',
    // Seeding took what the run had made meanwhile, and the records that a rotated key was shown before.
    'developer-seeding=replaced-later developer-latency=slow',
    'developer-seeding=replaced-later developer-latency=slow-models',
    // Two filters at once were compared with each alone as it had been a minute before.
    'developer-seeding=replaced-later developer-key-delay=second developer-accidents=a-500-each',
    // A key that was needed to the end took the only room, and the others waited in vain.
    `developer-key-delay=second developer-undocumented-body=all-need-one developer-draft-values=none
     developer-content-values=friendly developer-nested-bodies=wrapped developer-key-fields=kid developer-key-cap=two
     developer-export-format=rows-of-values developer-limiter=odd-phase developer-retry-after=date
     developer-unknown-path=before-key`,
  ],
  workspace: [
    // The key of a map is the id of what it holds, and numbers within it are those of others.
    'workspace-wrapper=by-id workspace-references=numbers',
    // Numbers of others were tried as ids of records that no call reads.
    'workspace-id-field=metadata workspace-references=numbers',
    'workspace-id-field=webhook-key workspace-references=numbers',
    // A history within a record that is wrapped in a list was not seen.
    'workspace-wrapper=list-of-one workspace-history=snapshots',
    // An agent that was made to tell ids by took the room of the one that was to be deleted.
    `workspace-caps=agents workspace-kept-fields=all workspace-check-order=body-first workspace-permissions=no-agents
     workspace-record-style=path`,
    'workspace-caps=agents workspace-row-numbers=beside',
    // What came after a lockout filled the minute, and looked like a limit of its own.
    `workspace-ids=dated workspace-list-shape=starting-after workspace-list-order=by-id workspace-create-answer=bare-id
     workspace-row-numbers=public workspace-stock=hundreds workspace-limiter=segments workspace-lockout=429-after-8`,
    // A map by id of records that name their type was read as the only record of an outer map.
    'workspace-id-field=words workspace-list-shape=map workspace-record-style=json-api workspace-create-answer=message',
    // Links counted pages from 1, and the numbers beside them from 0.
    `workspace-list-shape=spring-hal workspace-stock=hundreds workspace-list-order=oldest-first
     workspace-create-answer=location`,
    // A text that came with each delivery stood for the secret, and the dashboard's was not tried.
    'webhook-secret=dashboard event-envelope=hook-secret',
    // The id of the request was taken for the record's, which Location alone told.
    'workspace-create-answer=location workspace-extra-fields=beside',
    // The plain change of a text was not plain as a whole.
    'workspace-lead-columns=notes workspace-texts=escaped',
    'workspace-kept-fields=name workspace-texts=stripped',
    // An id that was made up was a record's.
    `workspace-ids=dated workspace-agent-body=typed webhook-events-field=enabled_events event-others=all
     webhook-secret-place=header workspace-stock=hundreds`,
    // A booking that showed none of the run's words stayed: its id stood beside another's.
    'workspace-booking-body=lead workspace-error-fields=empty-message workspace-references=escalation',
    'workspace-booking-body=lead workspace-error-fields=empty-message workspace-references=alone',
    // The third reading of the secret was not tried on so large a content.
    'webhook-signature=lines webhook-signature-key=stripped',
    // What was called before the drive weighs.
    'workspace-limiter=sliding-counter workspace-shown-window=day',
    // A booking had the number of its lead, whose id was taken for its own.
    'workspace-ids=alike workspace-id-field=metadata workspace-booking-body=lead',
    // A booking showed the number of its row, which was another booking's id.
    `workspace-ids=alike workspace-permissions=no-webhooks webhook-kinds=of-bookings workspace-calendar=five-days
     workspace-cancel-again=bad-request webhook-url-field=target_url workspace-row-numbers=beside workspace-stock=hundreds`,
    'workspace-ids=numeric workspace-check-order=existence-first workspace-row-numbers=public',
    'workspace-ids=alike workspace-row-numbers=public',
    // A map by ids of no digits, which stand inside the records.
    `workspace-id-field=metadata workspace-wrapper=data workspace-ids=short workspace-create-answer=id
     workspace-list-shape=map`,
    // A change was refused without a word, for want of a condition.
    'workspace-conditions=any workspace-error-fields=empty-message',
    // An id without a digit, told alone, was taken for a word.
    'webhook-signature-key=base64 workspace-record-style=kubernetes workspace-create-answer=bare-id',
    // A delivery that carries a challenge names its event in an object of its own.
    'event-payload=jsonapi event-envelope=challenge',
    // Two small numbers stood beside each other.
    'workspace-ids=numeric workspace-id-field=metadata workspace-row-numbers=bookings',
    // A booking had the number of its lead, and showed its own in its path alone.
    'workspace-ids=alike workspace-booking-body=lead workspace-record-style=resource',
    // The number of an account, which each record shows, stood beside the record's own, in lists that do not say whether they end.
    'workspace-ids=numeric workspace-references=numbers workspace-list-shape=unhinted',
    'workspace-ids=alike workspace-references=numbers workspace-stock=thirty',
    // A uid that nobody can guess was taken for what paths take, and the small number at the end of a path was not tried.
    'workspace-ids=alike workspace-create-answer=location workspace-record-style=resource workspace-list-shape=bare',
    // The answer to a create left the state out, within its attributes: those of the other agent were not taken for it.
    'workspace-deleted-rows=trashed workspace-create-answer=id workspace-record-style=json-api',
    // The number of a channel, the only field that ended in _id, was taken for the webhook's, and not the word under key.
    'workspace-id-field=webhook-key workspace-agent-body=tools workspace-error-fields=empty-message workspace-references=numbers',
    `workspace-id-field=webhook-key workspace-create-answer=bare-id workspace-references=numbers
     workspace-row-numbers=bookings`,
    // The id of a request stood in the field that the webhook's id stands in, and the agent's own in Location alone.
    `workspace-wrapper=data workspace-id-field=metadata workspace-timestamps=epoch-ms workspace-extra-fields=beside
     workspace-create-answer=location`,
    // The list that was driven came to megabytes.
    `workspace-extra-fields=many workspace-list-shape=named workspace-references=escalation workspace-stock=hundreds
     workspace-json-text=indented`,
    // The field in which an agent has its id was looked for in the answer to its create, which is nothing but the id.
    'workspace-id-field=metadata workspace-create-answer=bare-id workspace-references=numbers',
    // A webhook that the limited key made had no agent beside it whose read tells the id from a number.
    'workspace-ids=reused workspace-id-field=metadata workspace-permissions=no-deletes workspace-references=numbers',
    // The number of a booking's row was taken for its id: agents have theirs in that field, and they are no such numbers.
    'workspace-ids=words workspace-references=numbers workspace-row-numbers=bookings workspace-stock=hundreds',
    'workspace-ids=wide workspace-page-size=three workspace-row-numbers=bookings',
    // A create answered with nothing but an id of four letters, and the e-mail address that the body gave was taken for it.
    'workspace-ids=tiny workspace-id-field=metadata webhook-secret-form=short workspace-create-answer=bare-id',
    // A list in pages does not show whose the number of a row is; the field in which agents have their id does.
    `workspace-ids=words workspace-page-size=three workspace-list-order=oldest-first
     workspace-row-numbers=beside-public`,
    'workspace-wrapper=any-word workspace-ids=digits workspace-page-size=three workspace-row-numbers=beside-public',
    'workspace-ids=reused workspace-page-size=three workspace-row-numbers=bookings',
    // The account's number was that of the webhook, too, and stood in the list before that was made.
    `workspace-ids=alike workspace-references=numbers workspace-record-style=kubernetes
     workspace-stock=hundreds`,
    // The read of the agent whose id tells came before it could be read.
    `workspace-replica=slow workspace-create-answer=bare-id workspace-references=numbers
     workspace-record-style=kubernetes`,
    // The id of the lead in the body was a number that a double cannot hold, and did not tell whose the booking is.
    'workspace-ids=wide workspace-booking-body=columns workspace-references=alone',
    // No agent could be made whose read tells the id: a lead's does.
    `workspace-ids=digits workspace-list-shape=odata workspace-agent-body=channels workspace-error-fields=empty-message
     workspace-row-numbers=beside workspace-stock=hundreds`,
    // Events named the booking by another of its ids than the first.
    `workspace-ids=reused workspace-id-field=not-in-details workspace-caps=one-webhook workspace-booking-body=columns
     workspace-record-style=resource`,
    // A map by id had something beside it, and one booking began when another ended.
    `workspace-wrapper=by-id workspace-extra-fields=beside workspace-permissions=no-webhooks workspace-booking-body=columns
     workspace-calendar=ten-days`,
    // The ids of the next booking came in another order than those of the one that was deleted, and its row was known by the other one.
    `workspace-permissions=no-agents workspace-booking-body=columns workspace-references=alone
     workspace-row-numbers=beside-public workspace-stock=thirty`,
    `workspace-ids=reused workspace-replica=second workspace-permissions=no-agents workspace-create-answer=bare-id
     workspace-references=numbers workspace-record-style=resource workspace-body-type=required-with-body`,
    // What the body names stood in the row under a name that may be an id's.
    `workspace-ids=short workspace-page-size=three workspace-booking-body=columns
     workspace-row-numbers=beside-public`,
    // The cursor repeats another id of the last row than the first.
    `workspace-list-shape=since-id workspace-page-size=three workspace-list-order=by-id
     workspace-row-numbers=beside`,
    // All that the answer shows is a word of four letters, and the row shows no words of the run's.
    'workspace-ids=tiny workspace-booking-body=columns workspace-create-answer=bare-id',
    // The frame around the record was called neither data nor after the record, and what it refers to is of the same kind.
    'workspace-wrapper=any-word workspace-record-style=path workspace-references=alone',
    // The number in Location was that of another record's row.
    'workspace-ids=alike workspace-create-answer=location workspace-references=escalation workspace-row-numbers=public',
    // The place of an id in a list of one was no place of an agent's id.
    'workspace-wrapper=list-of-one workspace-id-field=metadata workspace-references=numbers',
    // The number at the end of a record's own path was known as that of an account, or as that of the lead in the body.
    'workspace-ids=alike workspace-references=numbers workspace-record-style=uri',
    'workspace-ids=alike workspace-booking-body=lead workspace-references=numbers workspace-record-style=uri',
    'workspace-ids=alike workspace-booking-body=lead workspace-create-answer=location workspace-references=numbers',
    // Location leads to the record, whatever its row calls an id.
    `workspace-ids=wide workspace-page-size=three workspace-create-answer=location workspace-references=numbers
     workspace-row-numbers=beside-public`,
    // A row shows no words, and calls another number than the path's its id.
    `workspace-ids=digits workspace-booking-body=columns workspace-row-numbers=beside-public
     workspace-stock=thirty`,
    // A channel's number in the answer to the create was taken for the id, though the row has a link to itself.
    `workspace-id-field=words workspace-create-answer=message webhook-secret=always-shown event-others=all
     workspace-references=numbers workspace-record-style=hal`,
  ],
};

/** Each as a correct deployment. */
export const metOnce = (['developer', 'workspace'] as const).flatMap((api) =>
  met[api].map((line) => ({ api, name: line.split(/\s+/).join(' '), chosen: choicesIn(line) })),
);
