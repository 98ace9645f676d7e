/** The six event kinds of the workspace API (Events). */
export const eventKinds = [
  'booking.created',
  'booking.cancelled',
  'lead.qualified',
  'lead.routed',
  'agent.escalation',
  'payment.received',
] as const;

export type EventKind = (typeof eventKinds)[number];
