import { clauses } from './vitest.ts';

clauses('developer');
