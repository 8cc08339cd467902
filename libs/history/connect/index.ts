export { createHistory, createHistoryWriter } from './create-history.ts';
