export { connectDataSources } from './connect-data-sources.ts';
export { createHistory, createHistoryWriter } from './create-history.ts';
export { dataSourceSettings, dataSourcesEnv } from './data-sources-env.ts';
export { openPluginSource } from './plugin-source.ts';
