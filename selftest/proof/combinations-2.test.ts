import { proveCombinations } from './prove-choices.ts';

proveCombinations(1, 2);
