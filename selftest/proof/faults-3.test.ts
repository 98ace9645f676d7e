import { proveFaults } from './prove-faults.ts';

proveFaults(2, 4);
