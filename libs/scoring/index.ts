export { scoringCatalogue } from './catalogue.ts';
