/**
 * Random clouds with the irregularities of real ones, and a judge of moves.
 *
 * `randomWorld` returns a cloud as the rows of its services: Nova, Placement, Cinder and Ironic, with metrics. The
 * same seed gives the same cloud. `createDraw` has the random numbers of a seed, for choices beside the cloud.
 *
 * `createNovaJudge` judges and makes moves on these rows by the documentation of Nova and Placement. It shares no code
 * with the model of the decision engine, so that an agreement of the two proves something. `ownAmountsOf`,
 * `providerOf`, `providersOf` and `sharedStorageOf` read the providers of Placement that serve a host.
 *
 * `addMetrics` measures a changed world again, and `copyWorld` copies the rows that moves change. `virtualServices`
 * are the compute services of hosts for virtual machines. `seededRandom` draws numbers alone, for benches that need
 * no world.
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
