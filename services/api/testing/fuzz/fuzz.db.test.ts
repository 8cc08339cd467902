import { describeFuzz } from './describe-fuzz.ts';

await describeFuzz(1500);
