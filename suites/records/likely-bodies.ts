import { lettersOf } from '../../common/words.ts';
import { eventKinds } from '../../contract/events.ts';

/** A body with the words of BODIES in double braces: `{{run}}`, `{{lead_id}}`. */
export type Template = Readonly<Record<string, unknown>>;

/** Text as people write it: letters outside ASCII, signs that have to be escaped (PHP: slashes), quotes, an emoji. */
const text = 'Made by a conformance run ({{run}}). Zoë & Łukasz said “fine” 24/7 <3 "ok" 日本 👍';
/** What any column and any firewall takes. */
const plain = 'Made by a conformance run ({{run}}).';
const thread = `From: Zoë Åsa <zoe@example.com>\nSubject: {{run}}\n\n${text}`;
const plainThread = `From: zoe@example.com\nSubject: {{run}}\n\n${plain}`;
const message = { role: 'user', from: 'zoe@example.com', subject: '{{run}}', body: plain, content: plain, text: plain };
const contact = { name: 'Zoe {{run}}', email: '{{email}}', phone: '{{phone}}' };
const names = { first_name: 'Zoe', last_name: 'Asa {{run}}' };
const booking = 'Conformance booking {{run}}';
const times = { start_time: '{{slot_start}}', end_time: '{{slot_end}}' };
const people = { lead_id: '{{lead_id}}', agent_id: '{{agent_id}}' };
const agent = 'Conformance agent {{run}}';
const secret = '{{webhook_secret}}';

/**
 * Likely bodies for each POST whose body the documents do not show in full, likeliest first: the usual names together,
 * with text as people write it, since most deployments ignore names that they do not know; then few names in plain
 * letters, for those that refuse more.
 */
export const likelyBodies: Readonly<Record<string, readonly Template[]>> = {
  'POST /v1/agents': [
    { name: agent, description: text, instructions: text, prompt: text, language: 'en' },
    { name: agent, description: plain },
    { name: agent },
    { name: agent, type: 'assistant', model: 'standard', prompt: plain, configuration: { language: 'en' } },
  ],
  'POST /v1/leads': [
    { ...contact, ...names, name: 'Zoë Åsa {{run}}', company: 'Åsa & Sons ({{run}})', notes: text },
    { name: contact.name, email: '{{email}}' },
    { ...names, email: '{{email}}', phone: '{{phone}}', source: 'website' },
  ],
  'POST /v1/bookings': [
    { title: `${booking} w/ Zoë & Åsa`, name: booking, email: '{{email}}', ...times, timezone: 'UTC', notes: text },
    { title: booking, ...times, timezone: 'UTC', ...people, notes: plain },
    { ...people, ...times },
    { ...people, scheduled_at: '{{slot_start}}', duration_minutes: 30, timezone: 'UTC', notes: plain },
  ],
  'POST /v1/webhooks': [
    { url: '{{webhook_url}}', events: eventKinds, secret, signing_secret: secret },
    { url: '{{webhook_url}}', events: eventKinds },
    {
      ...each('url endpoint_url target_url callback_url', '{{webhook_url}}'),
      ...each('events event_types enabled_events', eventKinds),
      ...each('secret signing_secret webhook_secret', secret),
    },
  ],
  'POST /api/v1/ads/audits': [
    {
      name: '{{run}} audit',
      title: '{{run}} audit',
      type: 'full',
      url: 'https://example.com',
      notes: text,
    },
    { name: '{{run}} audit', notes: plain },
  ],
  'POST /api/v1/investor/updates': [
    { title: '{{run}} update', subject: '{{run}} update', period: '2026-01', body: text, content: text, message: text },
    { title: '{{run}} update', content: plain },
  ],
  'POST /api/v1/inbox/draft': [
    { thread_context: thread },
    { thread_context: plainThread },
    { thread_context: [message] },
    { thread_context: { subject: '{{run}}', messages: [message] } },
  ],
  'POST /api/v1/inbox/categorize': [
    {
      from: 'zoe@example.com',
      subject: '{{run}}',
      body: text,
      content: text,
      text,
      email: text,
      thread_context: thread,
    },
    { subject: '{{run}}', body: plain },
  ],
  'POST /api/v1/inbox/skills/learn': [
    {
      name: '{{run}} skill',
      skill: '{{run}} skill',
      description: text,
      instructions: text,
      content: text,
      examples: [text],
    },
    { name: '{{run}} skill', description: plain },
  ],
  'POST /api/v1/content/generate': [
    { topic: `{{run}} ${text}`, product: 'Conformance Suite', tone: 'professional' },
    { topic: plain, product: 'Conformance Suite', tone: 'friendly' },
    // A module's identifier, of which the seed result has six.
    { topic: plain, product: 'content', tone: 'professional' },
  ],
  'POST /api/v1/content/review': [
    { title: '{{run}} review', content: text, text, body: text, draft: text },
    { content: plain },
  ],
};

/** The likely values of fields that may be no plain text, by names without case and punctuation. */
const likelyValues: Readonly<Record<string, unknown>> = {
  ...each('name title label displayname fullname', contact.name),
  firstname: names.first_name,
  lastname: names.last_name,
  ...each('email emailaddress contactemail attendeeemail customeremail guestemail inviteeemail leademail', '{{email}}'),
  ...each('phone phonenumber mobile mobilenumber contactphone telephone', '{{phone}}'),
  ...each('contact attendee customer guest invitee client person', contact),
  ...each('attendees participants guests invitees', [contact]),
  ...each('language lang', 'en'),
  locale: 'en-US',
  ...each('timezone tz', 'UTC'),
  ...each('source origin', 'website'),
  channel: 'web',
  ...each('model modelname', 'standard'),
  ...each('voice voiceid', 'default'),
  role: 'assistant',
  ...each('active enabled isactive', true),
  ...each('config configuration settings options parameters', { language: 'en', instructions: plain }),
  ...each('metadata customfields attributes properties', { reference: '{{run}}' }),
  ...each('tags labels', ['{{run}}']),
  ...each('externalid reference ref', '{{run}}'),
  ...each('score amount value price', 1),
  currency: 'USD',
  ...each('duration durationminutes durationmins length', 30),
  ...each('start starttime startsat startat startdate startdatetime begin beginsat from', '{{slot_start}}'),
  ...each('scheduledat scheduledfor scheduledtime datetime when appointmenttime bookingtime', '{{slot_start}}'),
  ...each('end endtime endsat endat enddate enddatetime until to finishesat', '{{slot_end}}'),
  slot: { start: '{{slot_start}}', end: '{{slot_end}}' },
  ...each('lead leadid contactid customerid', '{{lead_id}}'),
  ...each('agent agentid assistantid', '{{agent_id}}'),
  ...each('url endpoint endpointurl target targeturl callback callbackurl webhookurl destination', '{{webhook_url}}'),
  ...each('events eventtypes enabledevents subscribedevents subscriptions topics types triggers', eventKinds),
  ...each('secret signingsecret webhooksecret secretkey signingkey sharedsecret hmacsecret token', secret),
};

const likelyOfKind: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  type: { agents: 'assistant', leads: 'contact', bookings: 'meeting', webhooks: 'webhook' },
  status: { agents: 'active', leads: 'new', bookings: 'scheduled', webhooks: 'enabled' },
};

/** The last word of a field that refers to a record: `agent_sid`, `leadRef`. */
const reference = /(?:^|[a-z]_?)(?:id|sid|uuid|guid|ref)s?$|[a-z](?:Id|Sid|Ref)s?$/;

/** The noun of the record to which a field refers: `campaign` for `campaign_id` and `campaignId`; null: to none. */
export function nounReferredTo(field: string): string | null {
  const words = field.split(/[_-]|(?<=[a-z\d])(?=[A-Z])/).map((word) => word.toLowerCase());
  const isReference = words.length > 1 && /^(id|sid|uuid|guid|ref)$/.test(words.at(-1) ?? '');
  return isReference ? words.slice(0, -1).join('_') : null;
}

/** What a field of that name holds in most deployments; undefined: that is not known. */
export function knownValue(call: string, field: string): unknown {
  const kind = call.split('/').at(-1) ?? '';
  const known = likelyOfKind[lettersOf(field)]?.[kind] ?? likelyValues[lettersOf(field)];
  // Nobody else than a webhook of the run is given its URL and secret.
  return kind !== 'webhooks' && JSON.stringify(known ?? '').includes('{{webhook_') ? undefined : known;
}

/**
 * A value for a field that a deployment misses; undefined: none is likely. An id is never invented: where a field
 * refers to a record, only ids that the run knows will do.
 */
export const likelyValue = (call: string, field: string): unknown =>
  knownValue(call, field) ?? (reference.test(field) || ofWebhooks.test(field) ? undefined : '{{run}} conformance');

const ofWebhooks = /url|secret|token|callback|endpoint/i;

function each(names: string, value: unknown): Record<string, unknown> {
  return Object.fromEntries(names.split(' ').map((name) => [name, value]));
}
