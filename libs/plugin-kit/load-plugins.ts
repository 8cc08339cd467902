import { pathToFileURL } from 'node:url';
import { messageOf, OperatorError } from '#libs/domain';
import { type FindOtherWriter, findTrustedEntry } from './plugin-entry.ts';
import type { PluginRegistry } from './registry.ts';

/** Version of the plugin contracts. A plugin that declares another version is refused. */
const kitVersion = 1;

/**
 * Loads the configured plugins (`VIGIL_PLUGINS`: npm packages or folders) into the registry. A plugin module lists its
 * plugins in the export `plugins`, and the version of its contracts in `kitVersion` (default 1). Throws OperatorError
 * in one line with the remedy.
 * @param options.findOtherWriter default: files are trusted regardless of their owner, as in a trial of one's own
 * plugin.
 */
export async function loadPlugins(
  specifiers: readonly string[],
  registry: PluginRegistry,
  options: { cwd?: string; findOtherWriter?: FindOtherWriter } = {},
): Promise<void> {
  for (const specifier of specifiers) {
    const entry = findTrustedEntry(specifier, options.cwd ?? process.cwd(), options.findOtherWriter ?? (() => null));
    const moduleUrl = pathToFileURL(entry).href;
    const plugins = await importPlugins(specifier, entry, moduleUrl);
    registry.add(plugins, { label: `plugin ${specifier}`, moduleUrl, exportName: 'plugins' });
  }
}

async function importPlugins(specifier: string, entry: string, moduleUrl: string): Promise<unknown[]> {
  let module: Record<string, unknown>;
  try {
    module = await import(moduleUrl);
  } catch (error) {
    throw new OperatorError(`plugin ${specifier}: ${entry} cannot be loaded: ${messageOf(error)}`, { cause: error });
  }
  const written = module.kitVersion ?? kitVersion;
  if (written !== kitVersion) {
    throw new OperatorError(
      `plugin ${specifier}: ${entry} is written to version ${String(written)} of the plugin kit, and this Vigil has version ${kitVersion}; install a release of the plugin that fits`,
    );
  }
  if (!Array.isArray(module.plugins)) {
    const found = module.plugins === undefined ? `has no export "plugins"` : `exports "plugins" that is not an array`;
    throw new OperatorError(`plugin ${specifier}: ${entry} ${found}; add: export const plugins = [yourPlugin];`);
  }
  if (module.plugins.length === 0) {
    throw new OperatorError(`plugin ${specifier}: the export "plugins" of ${entry} is empty`);
  }
  return module.plugins;
}
