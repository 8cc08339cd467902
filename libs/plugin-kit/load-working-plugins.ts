import { messageOf } from '#libs/domain';
import type { PluginRegistry } from './registry.ts';

/** A plugin that could not be loaded. */
export interface PluginFault {
  /** Its entry in `VIGIL_PLUGINS`. */
  plugin: string;
  reason: string;
}

/**
 * Loads whatever works: a plugin that is broken is left out and reported. One that needs another one is loaded after it,
 * wherever it stands.
 * @param load makes a registry with the built-in plugins and those it is given; throws when one of them is broken.
 */
export async function loadWorkingPlugins(
  pluginNames: readonly string[],
  load: (pluginNames: readonly string[]) => Promise<PluginRegistry>,
): Promise<{ registry: PluginRegistry; faults: PluginFault[] }> {
  const accepted: string[] = [];
  let registry = await load([]);
  let waiting = [...pluginNames];
  for (;;) {
    const faults: PluginFault[] = [];
    for (const plugin of waiting) {
      try {
        registry = await load([...accepted, plugin]);
        accepted.push(plugin);
      } catch (error) {
        faults.push({ plugin, reason: messageOf(error) });
      }
    }
    if (faults.length === 0 || faults.length === waiting.length) return { registry, faults };
    waiting = faults.map(({ plugin }) => plugin);
  }
}
