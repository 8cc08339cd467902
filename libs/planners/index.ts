export { plannerCatalogue } from './catalogue.ts';
export { parseWeighting } from './parse-weighting.ts';
