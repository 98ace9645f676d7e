import { expect, test } from 'vitest';
import { type Signing, signatureFinding } from '../../../../../suites/workspace/events/signatures.ts';
import { presets } from '../../../../../webhooks/signature/scheme.ts';

// That discovery tells canonical JSON apart, ../../../webhooks/signature/other-texts.test.ts shows.
test.each([true, false])('signed over another text: it is open, not wrong, where that is canonical JSON: %j', (is) => {
  const discovery = { kind: 'other-text', scheme: presets.github, isCanonical: is, says: 'x', notes: [] } as const;
  const signing = { webhook: { name: 'first' }, discovery, secret: 'x', isCertain: true } as unknown as Signing;
  expect(signatureFinding(signing)?.isOpen).toBe(is);
});
