/**
 * Faults that a run of their own clauses alone does not show, and what it lacks. Their checks judge every answer that a
 * run has of the kind, and only the calls of other clauses bring the one that is wrong. They are judged in whole runs.
 */
const reasons: Readonly<Record<string, string>> = {
  'ads-campaigns-campaigns-of-a-status-null': 'filtered lists are read by the clauses on filters',
  'ads-campaigns-campaigns-roas-of-a-status-missing': 'filtered lists are read by the clauses on filters',
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
  'workspace-leads-create-id-of-other': 'no lead is listed before this one is made',
  'workspace-bookings-create-other-id': 'the booking is looked for under its id only by other clauses',
  'workspace-webhooks-register-other-id': 'the webhook is looked for under its id only by other clauses',
};

export const isShownByOthers = ({ id }: { readonly id: string }): boolean => Object.hasOwn(reasons, id);

export const shownByOthers: readonly string[] = Object.keys(reasons);
