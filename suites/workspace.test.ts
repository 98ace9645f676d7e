import { clauses } from './vitest.ts';

clauses('workspace');
