export { strategyCatalogue } from './catalogue.ts';
export { MetricsMissingError, ModelMissingError } from './errors.ts';
