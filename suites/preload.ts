// What Vitest's workers load before Vitest does: by its own loader, each import of a module is a message to the main thread.
import { enableCompileCache } from 'node:module';

enableCompileCache();
await Promise.all([import('./developer/suite.ts'), import('./workspace/suite.ts'), import('../fixtures/embedded.ts')]);
