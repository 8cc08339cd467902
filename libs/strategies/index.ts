export { strategyCatalogue } from './catalogue.ts';
export { MetricsMissingError } from './errors.ts';
