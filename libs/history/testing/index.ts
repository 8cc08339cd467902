export { createGnocchiFeed } from './gnocchi-feed.ts';
export { writeToPrometheus } from './write-to-prometheus.ts';
