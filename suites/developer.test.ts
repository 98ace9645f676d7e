import { inject } from 'vitest';
import { openEmbedded } from '../fixtures/embedded.ts';
import { readSettings } from '../settings/settings.ts';
import { developerSuite } from './developer/suite.ts';
import { declareClauses } from './run/declare.ts';

// `npm test` has read the settings, and provides them; Vitest carries what is logged to its reporter. Only this API's
// code is loaded.
declareClauses(developerSuite, inject('settings') ?? readSettings(), openEmbedded, console.info);
