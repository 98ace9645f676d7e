import { openEmbedded } from '../fixtures/embedded.ts';
import { declareClauses } from './run/declare.ts';
import { workspaceSuite } from './workspace/suite.ts';

declareClauses(workspaceSuite, openEmbedded);
