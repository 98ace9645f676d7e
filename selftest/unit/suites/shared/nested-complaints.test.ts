import { expect, test } from 'vitest';
import { nestedComplaints, withNested } from '../../../../suites/shared/nested-complaints.ts';

const sent = { name: 'a', body: 'text', emails: [{}], audit: {} };
const wanted = [{ path: ['emails', '0', 'subject'], says: expect.stringContaining('required') }];

test.each([
  { details: { 'emails.0.subject': ['is required'] } },
  { details: { emails: { 0: { subject: ['is required'] } } } },
  { details: { emails: [{ subject: ['is required'] }] } },
  { issues: [{ path: ['emails', 0, 'subject'], message: 'required' }] },
  { detail: [{ loc: ['body', 'emails', 0, 'subject'], msg: 'field required' }] },
  { errors: [{ pointer: '/emails/0/subject', detail: 'is required' }] },
  { errors: [{ source: { pointer: '/emails/0/subject' }, detail: 'is required' }] },
  { errors: [{ field: 'emails[0].subject', message: 'is required' }] },
  { errors: [{ instancePath: '/emails/0', params: { missingProperty: 'subject' }, message: 'required' }] },
  { message: 'emails[0].subject is required' },
  { message: 'Bad input: emails.0.subject is required, audit is fine' },
])('%j is about a field of an item', (error) => {
  expect(nestedComplaints({ code: 'VALIDATION_FAILED', ...error }, sent)).toEqual(wanted);
});

test.each([
  { details: { emails: ['must have at least 2 items'] } },
  { details: { name: ['is required'] } },
  { detail: [{ loc: ['body', 'title'], msg: 'field required' }] },
  { message: 'name is required' },
  { message: 'See https://docs.example/errors/0/emails' },
])('%j is about no value within a field', (error) => {
  expect(nestedComplaints({ code: 'VALIDATION_FAILED', ...error }, sent)).toEqual([]);
});

test('a value is set, changed and taken away within a body, and the rest stays', () => {
  expect(withNested(sent, ['emails', '0', 'subject'], 'Hi')).toEqual({ ...sent, emails: [{ subject: 'Hi' }] });
  expect(withNested(sent, ['emails', '0'], 'Hi')).toEqual({ ...sent, emails: ['Hi'] });
  expect(withNested(sent, ['emails', '0'], undefined)).toEqual({ ...sent, emails: [] });
  expect(withNested({ audit: { a: 1, b: 2 } }, ['audit', 'a'], undefined)).toEqual({ audit: { b: 2 } });
});
