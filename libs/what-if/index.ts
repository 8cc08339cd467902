export { computeWhatIf } from './compute-what-if.ts';
export type { Verdict } from './packing/find-places.ts';
export type { WhatIfQuestion } from './question.ts';
export type { ReserveLeft } from './report/reserve-left.ts';
export type { WhatIfResult } from './result.ts';
export { runSteps, type Steps } from './steps.ts';
export type { WhatIfFlavor } from './world/flavor-places.ts';
