export { strategyCatalogue } from './catalogue.ts';
