/**
 * Random clouds with the irregularities of real ones, as rows of the services, and a judge of moves that shares no code
 * with the model of the decision engine.
 */

export type { Amounts, CrookedWorld } from './crooked-world.ts';
export { copyWorld, virtualServices } from './crooked-world.ts';
export type { Draw } from './draw.ts';
export { createDraw, seededRandom } from './draw.ts';
export type { NovaJudge } from './nova-judge.ts';
export { createNovaJudge } from './nova-judge.ts';
export type { Way } from './nova-rules.ts';
export { ownAmountsOf, providerOf, providersOf, sharedStorageOf } from './providers.ts';
export { addMetrics } from './random-metrics.ts';
export { randomWorld } from './random-world.ts';
