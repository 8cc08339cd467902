/** A plugin that a process has loaded. */
export interface LoadedPlugin {
  /** As in `services`. */
  serviceName: string;
  host: string;
  /** Such as `strategy` or `planner`. */
  kind: string;
  /** Unique within its kind. */
  name: string;
  /** What brought it: an npm package, a folder, or `vigil` for what is built in. */
  origin: string;
  /** What it says of itself, for operators; empty when it says nothing. */
  description: string;
}

/** What processes report of their plugins; a process replaces its own report when it starts. */
export interface LoadedPlugins {
  report(
    serviceName: string,
    host: string,
    plugins: readonly (Pick<LoadedPlugin, 'kind' | 'name' | 'origin'> & { description?: string })[],
  ): Promise<void>;
  /** By kind, name, service and host. */
  list(): Promise<LoadedPlugin[]>;
}
