import { messageOf, OperatorError } from '#libs/domain';
import type { PluginRegistry } from './registry.ts';
import { trialTimeLimitMs, tryPlugin } from './try-plugin.ts';

/** A plugin that could not be loaded. */
export interface PluginFault {
  /** Its entry in `VIGIL_PLUGINS`. */
  plugin: string;
  reason: string;
}

/** What a process has of the plugins that it was told to load. */
export interface LoadedPlugins {
  registry: PluginRegistry;
  /** Those that are left out. */
  faults: PluginFault[];
}

/** Makes a registry with the built-in plugins and those it is given; throws when one of them is broken. */
type LoadPlugins = (pluginNames: readonly string[]) => Promise<PluginRegistry>;

/**
 * Loads what the configuration names. Each plugin is first loaded in a thread of its own, so that one that hangs or ends
 * the process while it is loaded does no harm. One that is broken is left out and reported; one that needs another one is
 * loaded after it, wherever it stands.
 * @param options `strict`: nothing is left out. `timeLimitMs` of each trial; default 10 s.
 * @throws OperatorError when `strict` and a plugin is missing, broken, or has the name of another one.
 */
export async function loadConfiguredPlugins(
  pluginNames: readonly string[],
  load: LoadPlugins,
  { strict, timeLimitMs = trialTimeLimitMs }: { strict: boolean; timeLimitMs?: number },
): Promise<LoadedPlugins> {
  const trials = await Promise.all(pluginNames.map((plugin) => tryPlugin(plugin, { timeLimitMs })));
  const faults = pluginNames.flatMap((plugin, index) => {
    const reason = trials[index];
    return reason ? [{ plugin, reason }] : [];
  });
  const usable = pluginNames.filter((_, index) => !trials[index]);
  if (!strict) {
    const working = await loadWorking(usable, load);
    const all = [...faults, ...working.faults];
    const inOrder = pluginNames.flatMap((name) => all.filter(({ plugin }) => plugin === name));
    return { registry: working.registry, faults: inOrder };
  }
  const [first] = faults;
  if (first) throw new OperatorError(first.reason);
  return { registry: await load(usable), faults: [] };
}

async function loadWorking(pluginNames: readonly string[], load: LoadPlugins): Promise<LoadedPlugins> {
  try {
    return { registry: await load(pluginNames), faults: [] };
  } catch {
    // Which of them it is, and who can do without it, is found out one by one.
    return await loadOneByOne(pluginNames, load);
  }
}

async function loadOneByOne(pluginNames: readonly string[], load: LoadPlugins): Promise<LoadedPlugins> {
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
