export { strategyCatalogue } from './catalogue.ts';
export type { ReserveWatch } from './shared/reserve/reserve-changes.ts';
export { watchReserve } from './shared/reserve/reserve-changes.ts';
