export { plannerCatalogue } from './catalogue.ts';
export { UnsupportedActionTypeError } from './errors.ts';
export { parseWeighting } from './parse-weighting.ts';
