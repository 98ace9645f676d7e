import { developerSuite } from '../suites/developer/suite.ts';
import { workspaceSuite } from '../suites/workspace/suite.ts';

/** The suite of each API. */
export const suites = { developer: developerSuite, workspace: workspaceSuite };
