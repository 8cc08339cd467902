import { describeFuzz } from './describe-fuzz.ts';

await describeFuzz(4000);
