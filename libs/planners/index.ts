export { plannerCatalogue } from './catalogue.ts';
export { UnsupportedActionTypeError } from './errors.ts';
export type { Weighting } from './weight.ts';
export { createWeightPlanner, defaultWeighting } from './weight.ts';
