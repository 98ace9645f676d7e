import { declareClauses } from './run/declare.ts';

declareClauses('workspace');
