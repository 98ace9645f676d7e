import { proveValues } from './prove-choices.ts';

proveValues(1, 2);
