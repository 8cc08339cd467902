import { isAbsolute, resolve } from 'node:path';
import { ConfigurationError, messageOf, OperatorError } from '#libs/domain';
import { loadPlugins } from './load-plugins.ts';
import type { FindOtherWriter } from './plugin-entry.ts';
import type { PluginRegistry } from './registry.ts';
import { trialTimeLimitMs, tryPlugin } from './try-plugin.ts';

/** A plugin that could not be loaded. */
export interface PluginFault {
  /** Its entry in `VIGIL_PLUGINS`. */
  plugin: string;
  /** Without the entry, and with paths inside the plugin. */
  reason: string;
}

/** Plugins in the configuration of a process. */
export interface LoadedPlugins {
  registry: PluginRegistry;
  /** Those that are left out. */
  faults: PluginFault[];
}

/** Plugin settings of a process. */
export interface LoadOptions {
  /** Nothing is left out: one broken plugin is an error. */
  strict: boolean;
  /** Whether the goals and planners of all strategies have to be there. */
  verify: boolean;
  /** Other users with write access to the files of a plugin. Such a plugin is not loaded. */
  findOtherWriter: FindOtherWriter;
  /** Of the trial of each plugin. Default 10 s. */
  timeLimitMs?: number;
}

/**
 * Adds the configured plugins to the built-in ones. Each plugin is first loaded in a separate thread, so that a plugin
 * that hangs or ends its process does no harm. A broken plugin is left out and reported. A plugin that needs another
 * one is loaded after it, in any order of the configuration.
 * @throws ConfigurationError when `strict` and a plugin is missing, broken, or has the name of another one.
 */
export async function loadConfiguredPlugins(
  pluginNames: readonly string[],
  builtIn: PluginRegistry,
  { strict, verify, findOtherWriter, timeLimitMs = trialTimeLimitMs }: LoadOptions,
): Promise<LoadedPlugins> {
  const trials = await Promise.all(pluginNames.map((plugin) => tryPlugin(plugin, { timeLimitMs, findOtherWriter })));
  const faults = pluginNames.flatMap((plugin, index) => {
    const reason = trials[index];
    return reason ? [faultOf(plugin, reason)] : [];
  });
  if (strict && faults.length > 0) {
    throw new ConfigurationError(faults.map(({ plugin, reason }) => `plugin ${plugin}: ${reason}`));
  }
  const usable = pluginNames.filter((_, index) => !trials[index]);
  const loaded = strict
    ? { registry: await withPlugins(builtIn, usable, verify), faults: [] }
    : await loadWorking(builtIn, usable, verify);
  const all = [...faults, ...loaded.faults];
  return { ...loaded, faults: pluginNames.flatMap((name) => all.filter(({ plugin }) => plugin === name)) };
}

async function withPlugins(base: PluginRegistry, names: readonly string[], verify: boolean): Promise<PluginRegistry> {
  const registry = base.copy();
  try {
    await loadPlugins(names, registry);
    if (verify) registry.verify();
  } catch (error) {
    throw error instanceof OperatorError ? new ConfigurationError([error.message], { cause: error }) : error;
  }
  return registry;
}

async function loadWorking(builtIn: PluginRegistry, names: readonly string[], verify: boolean): Promise<LoadedPlugins> {
  let registry = builtIn;
  let waiting = [...names];
  for (;;) {
    const faults: PluginFault[] = [];
    for (const plugin of waiting) {
      try {
        registry = await withPlugins(registry, [plugin], verify);
      } catch (error) {
        faults.push(faultOf(plugin, messageOf(error)));
      }
    }
    if (faults.length === 0 || faults.length === waiting.length) return { registry, faults };
    waiting = faults.map(({ plugin }) => plugin);
  }
}

/** The fault of a plugin, without the repetitions of its path that a single line of a log needs. */
function faultOf(plugin: string, message: string): PluginFault {
  const intro = `plugin ${plugin}: `;
  const reason = message.startsWith(intro) ? message.slice(intro.length) : message;
  return { plugin, reason: isAbsolute(plugin) ? reason.replaceAll(`${resolve(plugin)}/`, '') : reason };
}
