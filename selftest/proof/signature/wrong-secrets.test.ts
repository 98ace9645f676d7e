import { expect, test } from 'vitest';
import { discoverScheme } from '../../../webhooks/signature/discover.ts';
import { wrongSecret } from '../../../webhooks/signature/read/keys.ts';
import { deliveriesOf } from '../../unit/webhooks/signature/families/family.ts';
import { families } from '../../unit/webhooks/signature/families.ts';

// Nothing ends these searches early; all of them together take seconds.
test.for(families)('$name: nothing is claimed under a wrong secret', (family) => {
  const found = discoverScheme(deliveriesOf(family), wrongSecret(family.secret), { lastResort: false });
  expect(found.kind).toBe('unknown-content');
});
