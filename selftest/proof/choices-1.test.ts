import { proveValues } from './prove-choices.ts';

proveValues(0, 2);
