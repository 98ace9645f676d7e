import { expect } from 'vitest';
import type { RefusalCase } from './unusual.ts';

export type Body = Record<string, unknown>;

export const text = expect.any(String);

/** What is said of `slot.kind`, which must be `call` or `demo`: that it is missing, or what was sent is another value. */
export const kindOfSlot = (
  framework: string,
  missing: (slot: unknown) => object | string,
  other: (kind: string) => object | string,
): RefusalCase => [
  `${framework}, of a field in an object and its allowed values`,
  ({ slot }) => {
    const { kind } = Object(slot) as Body;
    return kind === undefined ? missing(slot) : kind === 'call' || kind === 'demo' ? null : other(String(kind));
  },
  { slot: { kind: 'call' } },
];

/** What is said of a field, which must be `inbound` or `outbound`. */
export const kindOfLead = (
  framework: string,
  field: string,
  missing: object | string,
  other: (kind: string) => object | string,
): RefusalCase => [
  `${framework}, of a field with two values`,
  ({ [field]: kind }) =>
    kind === undefined ? missing : kind === 'inbound' || kind === 'outbound' ? null : other(String(kind)),
  { [field]: 'inbound' },
];

/** What is said of a missing field, and of each of those that are unknown. */
export const strictly = (
  framework: string,
  field: string,
  missing: object | string,
  unknown: (names: readonly string[]) => object | string,
): RefusalCase => [
  `${framework}, which knows only one field`,
  ({ [field]: value, ...others }) =>
    Object.keys(others).length > 0 ? unknown(Object.keys(others)) : value === undefined ? missing : null,
  { [field]: text },
];

export const first = ([name = '']: readonly string[]): string => name;
