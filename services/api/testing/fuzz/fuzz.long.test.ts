import { describeFuzz } from './describe-fuzz.ts';

await describeFuzz(Number(process.env.VIGIL_FUZZ_REQUESTS ?? 20_000));
