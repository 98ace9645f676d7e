/** Choices that a run does not meet, by the calls that show them: unmet-choices.test.ts makes these. */
export const unmet: ReadonlySet<string> = new Set(
  [
    'developer-seed-by-live-key=refused-403 developer-seed-by-live-key=refused-400',
    'developer-live-keys-by-sandbox-key=refused-403 developer-live-keys-by-sandbox-key=refused-400',
    'developer-live-keys-by-sandbox-key=own-environment',
    'developer-check-order=body-before-scope developer-thread-context=text developer-draft-values=professional',
    'developer-window-bounds=inclusive developer-key-names=unique developer-key-names=at-most-50',
    'developer-empty-scopes=refused developer-body-type=required-with-body developer-body-type=required-always',
    'developer-shown-window=minute developer-shown-window=closer',
    'developer-header-case=lower developer-header-case=upper developer-header-case=title',
    'workspace-list-order=last-changed-first workspace-replica=removals workspace-unknown-fields=dropped',
    'workspace-unknown-fields=refused workspace-slots=taken webhook-url-reuse=refused',
    'workspace-check-order=existence-first workspace-check-order=body-first workspace-check-order=syntax-first',
    'workspace-booking-body=start-time workspace-lead-body=email workspace-lead-body=names',
    'workspace-cancel-again=not-found workspace-cancel-again=bad-request event-retries=once',
    'event-headers=digest event-headers=trace event-headers=old-key',
    'event-json=pretty event-json=spaced event-json=escaped event-json=newline',
    'workspace-shown-window=minute workspace-shown-window=closer',
    'workspace-header-case=lower workspace-header-case=upper workspace-header-case=title',
  ].flatMap((line) => line.split(' ')),
);
