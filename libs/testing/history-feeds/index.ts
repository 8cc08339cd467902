export type { GnocchiFeed } from './gnocchi-feed.ts';
export { createGnocchiFeed } from './gnocchi-feed.ts';
export { writeToPrometheus } from './write-to-prometheus.ts';
