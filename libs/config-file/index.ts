export { variablesOf } from './layers.ts';
export {
  filesOf,
  loadEnvironment,
  reloadEnvironment,
  takeFileOptions,
  usualFiles,
  watcherVariables,
  withOwnVariables,
} from './load-configuration.ts';
export { optionOf } from './own-sections.ts';
export type { ConfigurationFiles } from './read-files.ts';
export { pathsOf, readFiles } from './read-files.ts';
export type { Translated, Verdict } from './watcher/translate.ts';
export { translateWatcher } from './watcher/translate.ts';
