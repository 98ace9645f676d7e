import { openEmbedded } from '../fixtures/embedded.ts';
import { developerSuite } from './developer/suite.ts';
import { declareClauses } from './run/declare.ts';

declareClauses(developerSuite, openEmbedded);
