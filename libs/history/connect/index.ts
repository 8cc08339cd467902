export type { History, HistoryConnection } from './create-history.ts';
export { createHistory, createHistoryWriter } from './create-history.ts';
