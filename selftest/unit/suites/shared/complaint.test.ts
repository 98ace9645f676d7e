import { expect, test } from 'vitest';
import { complaintOf } from '../../../../suites/shared/complaint.ts';

test.each([
  [{ message: 'Missing required field: areas' }, ['areas']],
  [{ message: 'Missing required parameter: title; Missing required parameter: kind' }, ['title', 'kind']],
  [{ message: 'email must be an object' }, ['email']],
  [{ errors: [{ detail: 'Validation failed', meta: { campaign_id: ['is required'] } }] }, ['campaign_id']],
  [{ params: { quarter: 'must match pattern ^\\d{4}$' } }, ['quarter']],
  [{ innererror: { errordetails: [{ code: 'Z/001', propertyref: 'campaign_id' }] } }, ['campaign_id']],
  [{ message: 'is required' }, []],
])('%j is surely about %j', (error, fields) => {
  const { sure, fields: named } = complaintOf({ json: error, text: '' }, { name: 'x' });
  expect(named.filter((name) => sure.has(name))).toEqual(fields);
});
