import { expect, test } from 'vitest';
import { complaintOf } from '../../../../../suites/shared/complaints/complaint.ts';

test.each([
  [{ message: 'Missing required field: areas' }, ['areas']],
  [{ message: 'Missing required parameter: title; Missing required parameter: kind' }, ['title', 'kind']],
  [{ message: 'email must be an object' }, ['email']],
  [{ errors: [{ detail: 'Validation failed', meta: { campaign_id: ['is required'] } }] }, ['campaign_id']],
  [{ params: { quarter: 'must match pattern ^\\d{4}$' } }, ['quarter']],
  [{ innererror: { errordetails: [{ code: 'Z/001', propertyref: 'campaign_id' }] } }, ['campaign_id']],
  [{ fields: ['who_id', 'start_date'] }, ['who_id', 'start_date']],
  [{ loc: ['body', 'slot', 'from'] }, ['from']],
  [{ message: "Owner email can't be blank, Version is invalid" }, ['owner_email', 'version']],
  [{ message: 'missing: consent' }, ['consent']],
  [{ message: 'invalid name: must be accepted' }, ['name']],
  [{ message: 'body.mark should be not present, instead was `"x"`.' }, ['mark']],
  [{ message: 'body/title must be string' }, ['title']],
  [{ message: '/title must be string' }, ['title']],
  [{ message: "body must have required property 'body'" }, ['body']],
  [{ detail: 'body -> source: Field required' }, ['source']],
  [{ message: 'Invalid input JSON on line 1: Some required fields were not set: [properties]' }, ['properties']],
  [{ message: 'VALIDATION_FAILED: when is required' }, ['when']],
  [{ messages: { json: { name: ['Length must be between 1 and 64.'] } } }, ['name']],
  [{ message: 'Values were not valid: [{"isValid": false, "name": "score", "message": "is not known"}]' }, ['score']],
  [{ message: 'is required' }, []],
  [
    {
      message: "Validation failed for object='agentRequest'",
      errors: [{ objectName: 'agentRequest', field: 'voice', defaultMessage: 'must not be blank' }],
    },
    ['voice'],
  ],
  [{ message: 'null value in column "voice" of relation "agents" violates not-null constraint' }, ['voice']],
  [
    { message: '2 errors occurred', details: { errors: [{ path: ['voice'], message: 'voice must be defined.' }] } },
    ['voice'],
  ],
  [{ '@context': '/contexts/Error', violations: [{ propertyPath: 'voice', message: 'Leer.' }] }, ['voice']],
  [{ message: 'invalid CreateAgent.voice: value length must be at least 1 runes' }, ['voice']],
])('%j is about %j for certain', (error, fields) => {
  const { certain, fields: named } = complaintOf({ json: error, text: '' }, { name: 'x' });
  expect(named.filter((name) => certain.has(name))).toEqual(fields);
});

test.each([
  [{ message: 'Das Feld „display_name“ ist ein Pflichtfeld.' }, ['display_name']],
  [{ message: '«name» es obligatorio' }, ['name']],
  [{ message: 'given_nameは必須です' }, ['given_name']],
  [{ code: 'bad_request', felder: [{ feld: 'leadId', meldung: 'ist erforderlich' }] }, ['leadId']],
  [{ code: 'bad_request', erreurs: { ends_at: "n'est pas valide" } }, ['ends_at']],
  [{ code: 'bad_request', type: 'invalid_request', message: 'Ungültig' }, []],
])('%j names %j, in whatever language', (error, fields) => {
  expect(complaintOf({ json: error, text: '' }, { name: 'x' }).fields).toEqual(fields);
});

test('a property that a type does not have is unknown, and the type is no field', () => {
  const message = "The property 'name' does not exist on type 'app.agent'. Only use property names that are defined.";
  const { fields, inner, isUnknown } = complaintOf({ json: { message }, text: '' }, { name: 'x', title: 'y' });
  expect([fields, inner, isUnknown('name')]).toEqual([['name'], [], true]);
});

test('a label says what a field accepts, and an example after a comma belongs to the same field', () => {
  const { firstAllowed, textAbout } = complaintOf(
    {
      json: {
        message: 'Lead must exist, Location type must be one of phone, video; length is no duration, e.g. PT30M',
      },
      text: '',
    },
    { length: 1 },
  );
  expect([...firstAllowed]).toContainEqual(['location_type', 'phone']);
  expect(textAbout('length')).toContain('PT30M');
});

const enumRefusal =
  'Cannot deserialize value of type `com.acme.Voice` from String "low": not one of the values accepted for Enum class: [BASS, ALTO] (through reference chain: com.acme.AgentRequest["voice"])';

test('what Jackson says of an enumeration is about the field at the end of its chain', () => {
  const { certain, firstAllowed } = complaintOf({ json: { message: enumRefusal }, text: '' }, { voice: 'low' });
  expect([...certain]).toEqual(['voice']);
  expect([...firstAllowed]).toEqual([['voice', 'BASS']]);
});

test('the path of the call is no path of a field', () => {
  const answer = { json: { path: '/v1/agents', message: 'voice is required' }, text: '' };
  const exchange = { request: { method: 'POST', url: 'http://x.test/v1/agents', headers: [], body: null } };
  expect(complaintOf({ ...answer, exchange }, {}).fields).toEqual(['voice']);
});

test.each([
  [{ errors: { AgentName: ['The AgentName field is required.'] } }, ['agentName']],
  [{ message: 'muss das Attribut bezeichnung enthalten' }, ['bezeichnung']],
  [{ message: 'Field "Full Name" is required' }, ['Full Name']],
])('%j is about %j, as lists spell it', (error, fields) => {
  const shown = ['id', 'agentName', 'bezeichnung', 'Full Name'];
  const { certain, fields: named } = complaintOf({ json: error, text: '' }, {}, { shown });
  expect(named.filter((name) => certain.has(name))).toEqual(fields);
});

test('a record that is not found makes the field that refers to it a wrong one, and not an unknown one', () => {
  const message = 'invalid CreateBookingRequest.LeadId: no such lead';
  const { fields, isUnknown } = complaintOf({ json: { message }, text: '' }, { leadId: 'x' }, { shown: ['leadId'] });
  expect([fields, isUnknown('leadId')]).toEqual([['leadId'], false]);
});

test('a word that introduces the name of a field is none, even if lists show one of that name', () => {
  const message = 'Unknown field name: "description"';
  expect(complaintOf({ json: { message }, text: '' }, { description: 'x' }, { shown: ['Name'] }).fields).toEqual([
    'description',
  ]);
});

test('a quoted value is that of the field whose list has it', () => {
  const message =
    'JSON parse error: Cannot deserialize value of type `com.acme.api.EventTypes` from String "booking.created": not one of the values accepted for Enum class: [BOOKING_CREATED, LEAD_ROUTED]; nested exception is com.fasterxml.jackson.databind.exc.MismatchedInputException (through reference chain: com.acme.api.WebhookRequest["eventTypes"])';
  const { firstAllowed } = complaintOf({ json: { message }, text: '' }, { eventTypes: ['booking.created'] });
  expect([...firstAllowed]).toEqual([['eventTypes', 'BOOKING_CREATED']]);
});
