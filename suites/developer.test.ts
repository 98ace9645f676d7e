import { declareClauses } from './run/declare.ts';

declareClauses('developer');
