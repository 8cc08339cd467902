import type { Store } from '#libs/store';

/** A plugin that a process has loaded. `origin` is its entry in `VIGIL_PLUGINS`. */
interface Loaded {
  kind: string;
  name: string;
  origin: string;
}

/** A plugin that a process left out. */
interface Fault {
  plugin: string;
  reason: string;
}

/** The plugins of the processes on this host, for the terminal. Empty when none are configured. */
export async function readPluginSummary({ db }: Pick<Store, 'db'>, hostId: string): Promise<string[]> {
  const [loaded, faults] = await Promise.all([db.loadedPlugins.list(), db.pluginFaults.list()]);
  const here = ({ host }: { host: string }) => host === hostId;
  return summarizePlugins(loaded.filter(here), faults.filter(here));
}

/**
 * A line with the numbers of plugins, and a line for each one: its parts, or why it was not loaded. Two processes that
 * report the same are one line.
 */
export function summarizePlugins(loaded: readonly Loaded[], faults: readonly Fault[]): string[] {
  const parts = new Map<string, Set<string>>();
  for (const { origin, kind, name } of loaded) {
    if (origin === 'vigil') continue;
    parts.set(origin, (parts.get(origin) ?? new Set()).add(`${kind.replaceAll('_', ' ')} ${name}`));
  }
  const broken = [...new Set(faults.map(({ plugin, reason }) => `${plugin}: ${reason}`))];
  if (parts.size + broken.length === 0) return [];
  const missing = broken.length > 0 ? `, ${new Set(faults.map(({ plugin }) => plugin)).size} not loaded` : '';
  return [
    `Plugins: ${parts.size} loaded${missing}`,
    ...[...parts].map(([origin, names]) => `  ${origin}: ${[...names].join(', ')}`),
    ...broken.map((text) => `  not loaded: ${text}`),
  ];
}
