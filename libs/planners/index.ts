export { plannerCatalogue } from './catalogue.ts';
export { parseWeighting } from './weighting.ts';
