/** What was once judged wrongly together on the workspace API. */
export const metOnWorkspace: readonly string[] = [
  // The answer was nothing but the number that is a booking's id, and its row had another number under the name id.
  `workspace-ids=reused workspace-list-shape=counted workspace-create-answer=bare-id
   workspace-row-numbers=beside-public`,
  // No agent could be created to show which of a webhook's ids paths take.
  `workspace-ids=words workspace-agent-body=hours workspace-error-fields=empty-message
   workspace-row-numbers=public`,
  // The row of a booking that shows no words was compared with itself on the pages of its list.
  'workspace-page-size=three workspace-booking-body=columns workspace-create-answer=bare-id workspace-row-numbers=beside-public',
  // The name of a map's entry is the id of its record, and the numbers within the record belong to others.
  'workspace-wrapper=by-id workspace-references=numbers',
  // Numbers that belong to other records were tried as ids of records that no call reads.
  'workspace-id-field=metadata workspace-references=numbers',
  'workspace-id-field=webhook-key workspace-references=numbers',
  // The history of a record that is wrapped in a list was not found.
  'workspace-wrapper=list-of-one workspace-history=snapshots',
  // An agent that was created to recognise ids took the room of the one that should be deleted.
  `workspace-caps=agents workspace-kept-fields=all workspace-check-order=body-first workspace-permissions=no-agents
   workspace-record-style=path`,
  'workspace-caps=agents workspace-row-numbers=beside',
  // The calls after a lockout filled the minute, which looked like another limit.
  `workspace-ids=dated workspace-list-shape=starting-after workspace-list-order=by-id workspace-create-answer=bare-id
   workspace-row-numbers=public workspace-stock=hundreds workspace-limiter=segments workspace-lockout=429-after-8`,
  // A map by id whose records have a type was read as the only record of an outer map.
  'workspace-id-field=words workspace-list-shape=map workspace-record-style=json-api workspace-create-answer=message',
  // Links counted pages from 1, but the numbers beside them from 0.
  `workspace-list-shape=spring-hal workspace-stock=hundreds workspace-list-order=oldest-first
   workspace-create-answer=location`,
  // A text in each delivery was taken for the secret, and the dashboard's secret was not tried.
  'webhook-secret=dashboard event-envelope=hook-secret',
  // The id of the request was taken for the record's, which only Location showed.
  'workspace-create-answer=location workspace-extra-fields=beside',
  // The simple change of a text was not simple for the whole body.
  'workspace-lead-columns=notes workspace-texts=escaped',
  'workspace-kept-fields=name workspace-texts=stripped',
  // A made-up id belonged to a record.
  `workspace-ids=dated workspace-agent-body=typed webhook-events-field=enabled_events event-others=all
   webhook-secret-place=header workspace-stock=hundreds`,
  // A booking that shows none of the run's words stayed, since its id was beside that of another record.
  'workspace-booking-body=lead workspace-error-fields=empty-message workspace-references=escalation',
  'workspace-booking-body=lead workspace-error-fields=empty-message workspace-references=alone',
  // The third form of the key was not tried on such large content.
  'webhook-signature=lines webhook-signature-key=stripped',
  // Earlier calls count, with their weight.
  'workspace-limiter=sliding-counter workspace-shown-window=day',
  // A booking had the same number as its lead, whose id was taken for its own.
  'workspace-ids=alike workspace-id-field=metadata workspace-booking-body=lead',
  // A booking showed the number of its row, which was the id of another booking.
  `workspace-ids=alike workspace-permissions=no-webhooks webhook-kinds=of-bookings workspace-calendar=five-days
   workspace-cancel-again=bad-request webhook-url-field=target_url workspace-row-numbers=beside workspace-stock=hundreds`,
  'workspace-ids=numeric workspace-check-order=existence-first workspace-row-numbers=public',
  'workspace-ids=alike workspace-row-numbers=public',
  // A map by ids without digits, which the records also contain.
  `workspace-id-field=metadata workspace-wrapper=data workspace-ids=short workspace-create-answer=id
   workspace-list-shape=map`,
  // A change was refused without a message, since it lacked a condition.
  'workspace-conditions=any workspace-error-fields=empty-message',
  // An id without a digit, which was all of the answer, was taken for a word.
  'webhook-signature-key=base64 workspace-record-style=kubernetes workspace-create-answer=bare-id',
  // A delivery with a challenge names its event in a nested object.
  'event-payload=jsonapi event-envelope=challenge',
  // Two small numbers were beside each other.
  'workspace-ids=numeric workspace-id-field=metadata workspace-row-numbers=bookings',
  // A booking had the same number as its lead, and showed its id only in its path.
  'workspace-ids=alike workspace-booking-body=lead workspace-record-style=resource',
  // Each record shows the number of an account beside its own id, in lists that do not say whether they end.
  'workspace-ids=numeric workspace-references=numbers workspace-list-shape=unhinted',
  'workspace-ids=alike workspace-references=numbers workspace-stock=thirty',
  // A random uid was taken for the id that paths accept, and the small number at the end of a path was not tried.
  'workspace-ids=alike workspace-create-answer=location workspace-record-style=resource workspace-list-shape=bare',
  // The answer to a create lacked the status within its attributes, so that its record was not recognised there.
  'workspace-deleted-rows=trashed workspace-create-answer=id workspace-record-style=json-api',
  // The number of a channel, the only field that ends in _id, was taken for the webhook's id instead of the text
  // under key.
  'workspace-id-field=webhook-key workspace-agent-body=tools workspace-error-fields=empty-message workspace-references=numbers',
  `workspace-id-field=webhook-key workspace-create-answer=bare-id workspace-references=numbers
   workspace-row-numbers=bookings`,
  // The id of a request was in the field that has the webhook's id, and the agent's id only in Location.
  `workspace-wrapper=data workspace-id-field=metadata workspace-timestamps=epoch-ms workspace-extra-fields=beside
   workspace-create-answer=location`,
  // The list that was read over the limit had megabytes.
  `workspace-extra-fields=many workspace-list-shape=named workspace-references=escalation workspace-stock=hundreds
   workspace-json-text=indented`,
  // The field with the id of an agent was searched for in the answer to its create, which is only the id.
  'workspace-id-field=metadata workspace-create-answer=bare-id workspace-references=numbers',
  // For a webhook that the limited key created, there was no agent whose read distinguishes the id from a number.
  'workspace-ids=reused workspace-id-field=metadata workspace-permissions=no-deletes workspace-references=numbers',
  // The number of a booking's row was taken for its id: agents have their id in that field, but those are no such
  // numbers.
  'workspace-ids=words workspace-references=numbers workspace-row-numbers=bookings workspace-stock=hundreds',
  'workspace-ids=wide workspace-page-size=three workspace-row-numbers=bookings',
  // The answer to a create was only an id of four letters, and the email address of the body was taken for the id.
  'workspace-ids=tiny workspace-id-field=metadata webhook-secret-form=short workspace-create-answer=bare-id',
  // A list in pages does not show whether another record has a number; the field with the ids of agents does.
  `workspace-ids=words workspace-page-size=three workspace-list-order=oldest-first
   workspace-row-numbers=beside-public`,
  'workspace-wrapper=any-word workspace-ids=digits workspace-page-size=three workspace-row-numbers=beside-public',
  'workspace-ids=reused workspace-page-size=three workspace-row-numbers=bookings',
  // The account had the same number as the webhook, which was in the list before the webhook was created.
  `workspace-ids=alike workspace-references=numbers workspace-record-style=kubernetes
   workspace-stock=hundreds`,
  // The agent whose id shows the place of ids was read before reads could find it.
  `workspace-replica=slow workspace-create-answer=bare-id workspace-references=numbers
   workspace-record-style=kubernetes`,
  // The id of the lead in the body was a number that a double cannot represent, and did not identify the booking.
  'workspace-ids=wide workspace-booking-body=columns workspace-references=alone',
  // No agent could be created whose read shows the place of ids; a lead shows it too.
  `workspace-ids=digits workspace-list-shape=odata workspace-agent-body=channels workspace-error-fields=empty-message
   workspace-row-numbers=beside workspace-stock=hundreds`,
  // Events named the booking by another of its ids than the first one.
  `workspace-ids=reused workspace-id-field=not-in-details workspace-caps=one-webhook workspace-booking-body=columns
   workspace-record-style=resource`,
  // A map by id had another field beside it, and one booking began when another ended.
  `workspace-wrapper=by-id workspace-extra-fields=beside workspace-permissions=no-webhooks workspace-booking-body=columns
   workspace-calendar=ten-days`,
  // The ids of the next booking were in another order than those of the deleted one, and its row was known by the
  // other id.
  `workspace-permissions=no-agents workspace-booking-body=columns workspace-references=alone
   workspace-row-numbers=beside-public workspace-stock=thirty`,
  `workspace-ids=reused workspace-replica=second workspace-permissions=no-agents workspace-create-answer=bare-id
   workspace-references=numbers workspace-record-style=resource workspace-body-type=required-with-body`,
  // A value of the body was in the row under a name that could be an id's.
  `workspace-ids=short workspace-page-size=three workspace-booking-body=columns
   workspace-row-numbers=beside-public`,
  // The cursor repeats another id of the last row than its first one.
  `workspace-list-shape=since-id workspace-page-size=three workspace-list-order=by-id
   workspace-row-numbers=beside`,
  // The answer is only a text of four letters, and the row shows none of the run's words.
  'workspace-ids=tiny workspace-booking-body=columns workspace-create-answer=bare-id',
  // The wrapper of the record is called neither data nor after the record, and the record refers to another one of
  // its kind.
  'workspace-wrapper=any-word workspace-record-style=path workspace-references=alone',
  // The number in Location was the number of another record's row.
  'workspace-ids=alike workspace-create-answer=location workspace-references=escalation workspace-row-numbers=public',
  // The place of an id in a list of one did not count as the place of an agent's id.
  'workspace-wrapper=list-of-one workspace-id-field=metadata workspace-references=numbers',
  // The number at the end of a record's own path was taken for that of an account, or of the lead in the body.
  'workspace-ids=alike workspace-references=numbers workspace-record-style=uri',
  'workspace-ids=alike workspace-booking-body=lead workspace-references=numbers workspace-record-style=uri',
  'workspace-ids=alike workspace-booking-body=lead workspace-create-answer=location workspace-references=numbers',
  // Location names the record, whatever field of its row is called id.
  `workspace-ids=wide workspace-page-size=three workspace-create-answer=location workspace-references=numbers
   workspace-row-numbers=beside-public`,
  // A row shows none of the run's words, and its field id has another number than its path.
  `workspace-ids=digits workspace-booking-body=columns workspace-row-numbers=beside-public
   workspace-stock=thirty`,
  // A number in the event of an earlier booking was taken for the id of the one that was made after a webhook was
  // removed.
  'workspace-ids=alike workspace-references=counters',
  // The number of a channel in the answer to the create was taken for the id, although the row has a link to itself.
  `workspace-id-field=words workspace-create-answer=message webhook-secret=always-shown event-others=all
   workspace-references=numbers workspace-record-style=hal`,
  // A ULID with few digits was taken for one that can be guessed, and was never tried beside the number of the row.
  `workspace-ids=ulid webhook-url-field=endpoint_url workspace-row-numbers=bookings workspace-record-style=resource
   webhook-secret-place=list workspace-stock=thirty`,
  // The key with limited permission changed a lead that was read once more: its change was called undone.
  `workspace-permissions=no-webhooks workspace-conditions=tag workspace-lead-body=variant`,
  // Segments still counted calls of more than a minute ago, which were taken for those of others.
  'workspace-limiter=segments workspace-concurrency=six',
  // A digest of the body, or a signature with a key that was replaced, was beside a signature that is not read.
  'webhook-signature=credentials event-headers=digest',
  'webhook-signature=base32 event-headers=digest',
  'webhook-signature=credentials event-headers=old-key',
  // The create answered with a number that another row has in another field, and the number of the row was taken for it.
  `workspace-ids=alike workspace-list-shape=total-from-0 workspace-list-order=by-id workspace-create-answer=bare-id
   workspace-row-numbers=beside-public workspace-stock=hundreds`,
  // A lockout ended each time before the call that shows it had its turn.
  `workspace-limiter=sliding-counter workspace-retry-after=none workspace-stranger-limit=10
   workspace-lockout=403-after-20`,
  // The wrapped id of a webhook was taken for its secret, so that ids which begin alike could not be read.
  `workspace-wrapper=by-id workspace-ids=global workspace-changeable=configuration
   workspace-record-style=mongo`,
  // A bare id that one of two replicas did not find yet, though the list showed it, was called none.
  `workspace-ids=tiny workspace-list-shape=counted workspace-replica=ids workspace-lead-body=japanese
   workspace-create-answer=bare-id webhook-handshake=greeting webhook-signature=airtable event-delay=jitter
   event-copies=twice workspace-row-numbers=public workspace-stock=hundreds`,
  // A list of a single name and value, and one with a value left out, were read as no record.
  'workspace-wrapper=pairs workspace-create-answer=id workspace-record-style=uri',
  'workspace-wrapper=pairs workspace-references=alone workspace-record-style=resource',
  // The id in a resource's name was not learnt from agents whose details have none, so that webhooks had none either.
  `workspace-wrapper=list-of-one workspace-ids=wide workspace-id-field=not-in-details
   workspace-record-style=resource`,
  `workspace-ids=short workspace-id-field=not-in-details workspace-create-answer=bare-id
   workspace-record-style=resource`,
  // A number in a webhook's field `key` was taken for its secret.
  'workspace-wrapper=by-id workspace-ids=numeric workspace-id-field=webhook-key webhook-url-shown=masked',
  // An agent's short id was a number by chance, so that the number of a booking's row was taken for its id.
  'workspace-ids=tiny webhook-secret-field=secret_key workspace-row-numbers=public',
  // A stranger's cancelled booking had for its number what was the id of one of the run's, and was taken for that.
  `workspace-ids=alike workspace-list-shape=nested workspace-permissions=nothing workspace-calendar=five-days
   webhook-url-field=callback_url workspace-row-numbers=public workspace-stock=thirty`,
  // The texts of an agent were stored without their emoji, so that nothing seemed to show what a change keeps.
  'workspace-texts=stripped workspace-changeable=configuration-only',
  'workspace-texts=escaped workspace-changeable=configuration-only',
  // A list masked the URLs of webhooks, whose ids have other names.
  'workspace-row-numbers=public webhook-url-shown=masked',
  'workspace-ids=reused workspace-id-field=webhook-key webhook-url-shown=masked',
  // A body like a listed record had none of the run's words.
  `workspace-ids=tiny workspace-extra-fields=many workspace-lead-columns=notes
   workspace-lead-body=record`,
  // A placeholder of the refused leads, which the answer repeated, was another id in the answer: bookings were left.
  'workspace-unknown-fields=refused workspace-booking-body=columns workspace-lead-body=consent',
  // An email address was also in a list of addresses, and changed there, too.
  `workspace-field-style=camel workspace-kept-fields=name workspace-unknown-fields=dropped
   workspace-lead-body=contact-points`,
];
