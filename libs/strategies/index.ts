export { strategyCatalogue } from './catalogue.ts';
export { watchReserve } from './shared/reserve/reserve-changes.ts';
