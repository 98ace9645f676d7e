import { bodyAlone } from './families/body-alone.ts';
import { enveloped } from './families/enveloped.ts';
import type { Family } from './families/family.ts';
import { homeMade } from './families/home-made.ts';
import { joined } from './families/joined.ts';
import { timed } from './families/timed.ts';

/** Families of the services that sign with HMAC-SHA256, by the grammar of their headers. */
export const families: readonly Family[] = [...bodyAlone, ...timed, ...joined, ...enveloped, ...homeMade];
