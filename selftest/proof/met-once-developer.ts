/** What was once judged wrongly together on the developer API. */
export const metOnDeveloper: readonly string[] = [
  // Bookings that were cancelled between two reads were missing in a window, and no field explained what it showed.
  `developer-statuses-held=not-the-last developer-window-field=made developer-key-cap=one
   developer-bookings-move=to-cancelled developer-accidents=a-500-each`,
  // A copy of each new key had its name, and the key itself showed it in another form: the copy was rotated and
  // deleted.
  'developer-key-fields=api-key-id developer-key-copies=copied-in-words',
  'developer-key-fields=number-first developer-key-copies=copied-in-words',
  // A full account had copies of the run's keys. Nothing in the list is called an id, so that the copy of a deleted key
  // was taken for the key itself, still listed.
  'developer-key-fields=german developer-key-cap=two-before-body developer-key-copies=copied-in-words',
  `developer-key-fields=german developer-rotation=previous-and-current developer-key-cap=five
   developer-key-copies=copied-in-words developer-key-list-age=late`,
  // Rotation made a new record, whose id only the list shows. Its row had the name in another form, and that of a copy
  // had it as it was sent.
  'developer-rotation=secret-of-new-record developer-key-copies=copied-in-words',
  // Only the beginning of its new secret shows which row is that of the key: the answers show neither id nor name.
  'developer-key-fields=account-first developer-rotation=secret-of-new-record developer-key-copies=copied-in-words',
  // The copy of a key was the last row of a page and the key itself the first of the next: the copy was deleted.
  'developer-key-fields=account-first developer-key-list=small-newest-first developer-key-copies=copied',
  // A live key took the only room of the account for the whole run, while the creation of the first key waited out a 429.
  `developer-key-scope-count=ten developer-key-cap=one developer-key-id-delay=second-and-half
   developer-accidents=a-broken-connection-each developer-limiter=sliding-log developer-budget=account-in-use`,
  // Deleted keys filled the first pages of a list with the newest first, so that no new key was found in it.
  `developer-key-fields=account-first developer-key-scope-count=ten developer-key-list=small-newest-first
   developer-deleted-rows=status`,
  // How the secret begins is the id, and no field is called an id: the id was taken for what only hints at the secret.
  'developer-key-ids=beginning developer-key-fields=german',
  // The key showed its name in another form, at the end of a page, and a copy of it began the next: the copy was deleted.
  'developer-key-fields=account-first developer-key-list=small-pages developer-key-copies=copied-in-words',
  // The id of the account, alone on a page with the copy only, told the copy as the run's: it was deleted.
  `developer-key-fields=account-first developer-key-list=small-pages developer-deleted-rows=status
   developer-key-copies=copied-in-words`,
  // Bookings went on being cancelled, and so missing in a window, also between the two lists that were compared again.
  `developer-statuses-held=not-the-last developer-window-field=made developer-key-cap=one
   developer-list-pages=twenty-total developer-latency=slow-models developer-posts-move=to-review
   developer-bookings-move=to-cancelled`,
  // All rows named the deleted key as their maker, and that of its copy, which had the words, was taken for the key's.
  `developer-key-fields=made-by-key developer-key-cap=two developer-deleted-rows=status
   developer-key-copies=copied-in-words`,
  // The same on a page without the key itself.
  `developer-key-fields=made-by-key developer-key-list=small-newest-first developer-deleted-rows=flag
   developer-key-copies=copied-in-words developer-key-cap=two`,
  // A key was made anew for its purpose, under the same label: while it was not known yet, it counted as known.
  `developer-key-delay=second developer-draft-values=formal developer-key-cap=four-429
   developer-list-pages=three-unsaid developer-latency=slow developer-stranger-limit=10 developer-stranger-headers=dash`,
  // A key showed its short id beside a uid, and its name in another form: its row was not found.
  `developer-key-ids=short developer-key-fields=metadata developer-key-list=small-pages
   developer-key-copies=copied-in-words`,
  // The key for the clauses on limits was made when the account had room for a moment, and took it from all others.
  `developer-seeding=in-background developer-key-delay=second-and-half developer-undocumented-body=mail-needs-one
   developer-thread-context=reference developer-content-values=own-products developer-key-scope-count=ten
   developer-usage-days=lenient developer-key-cap=one developer-key-id-delay=second-and-half developer-latency=slow
   developer-accidents=a-503-each developer-limiter=segments developer-counted=not-403`,
  // A key that had been lent for calls to content had to wait for minutes until those calls were known, and took the
  // last room of the account.
  `developer-content-values=unknown developer-key-cap=two-before-body developer-latency=slow-models
   developer-limiter=segments developer-retry-after=date developer-sandboxes=per-key`,
  // The list showed only the first keys, so that nothing showed which field has the id.
  'developer-key-fields=german developer-key-list=first-page-only',
  // Only the list showed the id of a rotated key, and the old record was beside the new secret.
  'developer-key-fields=account-first developer-rotation=previous-and-current',
  // The id of the creating key, which is the beginning of its secret, was tried as the new key.
  'developer-key-ids=beginning developer-key-fields=made-by-key developer-key-nesting=sentence',
  // Two sibling lists were not recognised, since a word was beside them.
  'developer-grouped-exports=two-lists developer-extra-fields=data',
  // Segments still counted the calls of the previous minute, but a refusal that they explain was called too early.
  `developer-key-cap=two developer-list-pages=twenty-page-unsaid developer-latency=slow-models developer-created-shown=late
   developer-posts-move=to-review developer-accidents=a-503-each developer-limiter=segments developer-retry-after=none
   developer-budget=account developer-unknown-path=before-key`,
  // The place of a rotated key's id is known from its creation.
  'developer-key-fields=metadata developer-rotation=previous-and-current',
  // A uid that no path accepts was nearer to the new secret than the path that ends with the id.
  'developer-key-fields=path-as-name developer-key-nesting=details developer-rotation=previous-and-current',
  'developer-key-fields=path-as-name developer-key-nesting=details developer-key-list=first-page-only developer-rotation=successor',
  // Keys of one account got the same low Remaining, and seemed to have separate budgets.
  `developer-key-delay=half-second developer-undocumented-body=all-before-scope developer-thread-context=nested
   developer-accidents=a-broken-connection-each developer-limiter=sliding-counter developer-retry-after=none
   developer-budget=account`,
  // The last read over the limit was answered before earlier ones, and was not repeated.
  `developer-seeding=refused-409 developer-key-delay=second-and-half developer-deletion-delay=second-and-half
   developer-content-values=unknown developer-learnt-skills=after-review developer-unknown-filter=first
   developer-statuses-held=not-the-last developer-key-fields=metadata developer-deleted-keys=usage-stays
   developer-usage-days=empty developer-key-cap=five developer-list-place=page developer-keyword-list=strings
   developer-export-length=four developer-list-pages=twenty-total developer-accidents=a-503-now-and-then
   developer-limiter=first-call developer-counted=not-400 developer-retry-after=date developer-budget=account
   developer-lockout=401-after-10`,
  // The call that should show a lockout got a 503.
  'developer-accidents=a-503-now-and-then developer-lockout=403-in-a-burst developer-stranger-limit=100',
  // Rotation shows no id, and no field of the list is called id: the field that showed it at creation has it.
  'developer-key-fields=german developer-rotation=secret-of-new-record',
  // The list still showed the old record, by a path that ends with its id, and it was taken for the record of the
  // rotation.
  `developer-key-delay=second developer-key-fields=path-as-name developer-rotation=secret-of-new-record
   developer-key-list-age=late`,
  // A uid that no path accepts was taken for the id of the record of the rotation.
  'developer-key-fields=path-as-name developer-key-nesting=details',
  // A text that begins like a secret was learnt with its prefix, so that the same URL was recorded in two ways.
  'developer-key-ids=beginning developer-key-fields=made-by-key developer-accidents=a-503-each',
  // A live key that was created over the limit stayed: the sandbox key, which sees only sandbox keys, searched for
  // it.
  `developer-keys-seen=sandbox-sees-sandbox developer-key-delay=second developer-draft-values=skill-ids
   developer-content-values=own-products-friendly developer-min-spend=tens developer-window-field=made
   developer-list-pages=twenty-page-unsaid developer-latency=slow-models developer-accidents=a-500-each
   developer-limiter=odd-phase`,
  // A call with another key of the account tested whether a lockout was over, just before the calls over the limit
  // were repeated.
  `developer-accidents=a-broken-connection-each developer-limiter=sliding-counter developer-retry-after=date
   developer-budget=account developer-lockout=401-after-10`,
  // The only list of objects described filters; the records were rows of values.
  'developer-export-format=rows-of-values developer-beside-lists=columns',
  // A key that was deleted to make room was still used to create others.
  'developer-key-cap=five developer-stranger-headers=dash developer-lockout=403-after-20',
  // The key's calls and calls of other keys seemed to have separate budgets, since a minute ended between them.
  `developer-seeding=refused-400 developer-thread-context=object developer-draft-values=known-skills
   developer-content-values=own-products-friendly developer-key-list-age=late developer-list-pages=twenty-total
   developer-accidents=a-503-each developer-limiter=first-call developer-counted=not-403-404 developer-retry-after=date
   developer-stranger-limit=40 developer-budget=account developer-other-method=400`,
  `developer-key-delay=half-second developer-key-cap=five developer-limiter=sliding-counter developer-counted=not-403
   developer-retry-after=date developer-stranger-limit=40 developer-budget=account`,
  // A refilling bucket of another size also explained the trace.
  `developer-rotated-secret=lives-a-minute developer-undocumented-body=audits-need-one
   developer-content-values=own-products developer-word-count=text developer-min-spend=tens
   developer-latency=slow-models developer-accidents=a-503-each developer-limiter=sliding-counter
   developer-retry-after=none developer-stranger-limit=40`,
  // Calls with new keys that did not work yet led to a lockout, and a key without a scope got 401.
  `developer-key-delay=second-and-half developer-accidents=a-broken-connection-each developer-limiter=sliding-log
   developer-stranger-limit=100 developer-lockout=401-after-10`,
  // A call with two keys was used to find out whether one of them was locked out.
  `developer-precedence=refused-401 developer-limiter=sliding-counter developer-retry-after=date
   developer-budget=account developer-lockout=403-by-prefix`,
  // A rotation that shows only a secret created another record, and the list shows only two keys.
  'developer-rotation=secret-of-new-record developer-key-list=small-newest-first',
  // Seeding removed what the run had created meanwhile, and the records that a rotated key had seen before.
  'developer-seeding=replaced-later developer-latency=slow',
  'developer-seeding=replaced-later developer-latency=slow-models',
  // Two filters together were compared with results of each alone from a minute before.
  'developer-seeding=replaced-later developer-key-delay=second developer-accidents=a-500-each',
  // A key that was needed until the end took the only room, and the others waited in vain.
  `developer-key-delay=second developer-undocumented-body=all-need-one developer-draft-values=none
   developer-content-values=friendly developer-nested-bodies=wrapped developer-key-fields=kid developer-key-cap=two
   developer-export-format=rows-of-values developer-limiter=odd-phase developer-retry-after=date
   developer-unknown-path=before-key`,
  // A lockout began and ended while a key was driven over its limit, and its 429s were taken for the limiter's.
  `developer-rotated-secret=lives-a-minute developer-undocumented-body=all-need-one developer-thread-context=object
   developer-latency=slow-models developer-limiter=odd-phase developer-lockout=429-after-8`,
  // Another client of the account called while a key was driven, which only the day's Remaining showed.
  `developer-limiter=sliding-log developer-shown-window=day developer-retry-after=date
   developer-budget=account-in-use`,
  // The same, which the minute's Remaining hid behind calls that were refused in the same millisecond.
  'developer-limiter=segments developer-budget=account-in-use',
  // A window ended during the calls over the limit, and another client used it, too: it was taken for a larger one.
  `developer-key-delay=second-and-half developer-deletion-delay=second-and-half developer-access=either
   developer-nested-bodies=wrapped developer-statuses-held=not-the-last developer-key-fields=kid
   developer-key-cap=four-429 developer-key-list-age=late developer-list-pages=twenty-total developer-latency=slow
   developer-accidents=a-500-each developer-limiter=odd-phase developer-budget=account-in-use`,
  // A read that came after the minute had given way made its 429 on a key request one about a full account.
  `developer-undocumented-body=all-need-one developer-unknown-filter=all developer-key-fields=metadata
   developer-key-scope-count=ten developer-key-cap=two-before-body developer-list-pages=three-unsaid
   developer-latency=slow-models developer-accidents=a-500-each developer-limiter=segments
   developer-counted=successes-only developer-budget=account-in-use developer-sandboxes=per-key`,
  // Another client of the account called only between the last reading and the calls over the limit, and fewer calls
  // seemed to be admitted.
  `developer-limiter=sliding-log developer-shown-window=day developer-retry-after=none
   developer-budget=account-in-use-meanwhile`,
  'developer-limiter=sliding-counter developer-shown-window=day developer-budget=account-in-use-meanwhile',
  'developer-limiter=segments developer-shown-window=day developer-budget=account-in-use-meanwhile',
  'developer-limiter=odd-phase developer-shown-window=closer developer-budget=account-in-use-meanwhile',
  // Calls at once are limited for all keys together, whose budgets are driven one after the other.
  'developer-concurrency=six-of-all developer-budget=account developer-limiter=sliding-log',
  // One call of another client fell between two drives, and Remaining was only read as it fell: 119 in segments.
  `developer-undocumented-body=all-need-one developer-key-cap=two-before-body developer-latency=slow-models
   developer-accidents=a-500-each developer-limiter=segments developer-counted=successes-only
   developer-budget=account-in-use WRITES=sandbox`,
  // Rotation made a record that calls found by its id only later: another field of its row was taken for the id.
  `developer-key-fields=account-first developer-key-scope-count=ten developer-key-list=small-pages
   developer-rotation=successor developer-key-copies=copied-in-words developer-key-id-delay=second-and-half`,
  // The code at the beginning of a refusal was taken for a field, and for the spelling of all fields.
  'developer-nested-bodies=lists developer-error-shape=sentence',
];
