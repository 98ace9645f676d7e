import { proveCombinations } from './prove-choices.ts';

proveCombinations(0, 2);
