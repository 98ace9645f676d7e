/** What was once judged wrongly together on the workspace API. */
export const metOnWorkspace: readonly string[] = [
  // Links counted pages from 1, but the numbers beside them from 0.
  `workspace-list-shape=spring-hal workspace-stock=hundreds workspace-list-order=oldest-first
   workspace-create-answer=location`,
  // The id of the request was taken for the record's, which only Location showed.
  'workspace-create-answer=location workspace-extra-fields=beside',
  'workspace-kept-fields=name workspace-texts=stripped',
  // Earlier calls count, with their weight.
  'workspace-limiter=sliding-counter workspace-shown-window=day',
  // The list that was read over the limit had megabytes.
  `workspace-extra-fields=many workspace-list-shape=named workspace-references=escalation workspace-stock=hundreds
   workspace-json-text=indented`,
  // A lockout ended each time before the call that shows it had its turn.
  `workspace-limiter=sliding-counter workspace-retry-after=none workspace-stranger-limit=10
   workspace-lockout=403-after-20`,
];
