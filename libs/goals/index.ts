export { goalCatalogue } from './catalogue.ts';
