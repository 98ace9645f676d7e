import { declareClauses } from './front/declare.ts';

declareClauses('workspace');
