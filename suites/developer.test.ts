import { inject } from 'vitest';
import { openEmbedded } from '../fixtures/embedded.ts';
import { readSettings } from '../settings/settings.ts';
import { developerSuite } from './developer/suite.ts';
import { declareClauses } from './run/declare.ts';

// `npm test` has read the settings, and provides them. Only this API's code is loaded.
declareClauses(developerSuite, inject('settings') ?? readSettings(), openEmbedded);
