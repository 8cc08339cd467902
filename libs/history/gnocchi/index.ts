export { createGnocchiHistory } from './gnocchi-history.ts';
export type { GnocchiMapping } from './gnocchi-metric.ts';
