import { developerSuite } from '../suites/developer/suite.ts';
import { workspaceSuite } from '../suites/workspace/suite.ts';

/** The suites, by the API that they judge. */
export const suites = { developer: developerSuite, workspace: workspaceSuite };
