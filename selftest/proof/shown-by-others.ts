/**
 * Faults that a run of their own clauses alone does not show, and what it lacks. Their checks judge every answer that a
 * run has of the kind, and only the calls of other clauses bring the one that is wrong. They are judged in whole runs.
 */
const reasons: Readonly<Record<string, string>> = {
  'auth-deleted-key-comes-back': 'the key is called again only in later clauses',
  'ads-audits-list-500-on-queued': 'no audit is queued before the list is read',
  'inbox-skills-500-on-learnt': 'no skill is learnt before the list is read',
  'ads-campaigns-campaigns-of-a-status-null': 'filtered lists are read by the clauses on filters',
  'ads-campaigns-campaigns-roas-of-a-status-missing': 'filtered lists are read by the clauses on filters',
  'keys-delete-takes-another': 'there is one more key to lose only where other clauses made some',
  'limits-remaining-full-on-refused-writes': 'refused writes are made by other clauses',
  'limits-remaining-per-key': 'other keys of the account are used by other clauses',
  'limits-remaining-zero-on-refused-writes': 'refused writes are made by other clauses',
  'workspace-limits-remaining-full-on-refused-writes': 'refused writes are made by other clauses',
  'workspace-auth-no-effect-booking-announced': 'a webhook listens only where the clauses on events registered it',
  'workspace-auth-no-effect-cancellation-announced': 'a webhook listens only where the clauses on events registered it',
  'workspace-agents-list-latest-only': 'there is more than one agent only where other clauses made some',
  'workspace-agents-delete-on-one-replica': 'the agent is read again only by other clauses',
  'workspace-agents-update-also-next': 'there is another agent only where other clauses made some',
  'workspace-agents-list-once-changed': 'no agent is changed before the list is read',
  'workspace-leads-list-once-changed': 'no lead is changed before the list is read',
  'workspace-bookings-list-latest-only': 'there is more than one booking only where other clauses made some',
  'workspace-bookings-cancel-takes-oldest': 'the oldest booking is the cancelled one unless other clauses made some',
  'workspace-webhooks-list-oldest-only': 'there is more than one webhook only where other clauses made some',
  'workspace-webhooks-list-latest-only': 'there is more than one webhook only where other clauses made some',
  'workspace-webhooks-remove-disabled': 'the removed webhook is looked for only by other clauses',
  'workspace-errors-not-found-removed-again-short': 'a webhook is removed again only by the clause on removal',
  'workspace-leads-create-id-of-other': 'no lead is listed before this one is made',
  'workspace-bookings-create-other-id': 'the booking is looked for under its id only by other clauses',
  'workspace-webhooks-register-other-id': 'the webhook is looked for under its id only by other clauses',
  'workspace-events-vocabulary-agent-updated': 'an agent is changed while a webhook listens only by other clauses',
  'workspace-events-vocabulary-lead-created': 'a lead is created while a webhook listens only by other clauses',
};

export const isShownByOthers = ({ id }: { readonly id: string }): boolean => Object.hasOwn(reasons, id);

export const shownByOthers: readonly string[] = Object.keys(reasons);
