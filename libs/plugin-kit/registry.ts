import { messageOf, NotFoundError, nearestHint, OperatorError } from '#libs/domain';
import type { ActionPlugin } from './action.ts';
import { checkPlugin } from './check-plugin.ts';
import type { GoalPlugin } from './goal.ts';
import type { PlannerPlugin } from './planner.ts';
import { kindOf, nameOf, type PluginKind, type VigilPlugin } from './plugin.ts';
import type { ScoringContainerPlugin, ScoringEnginePlugin } from './scoring.ts';
import type { CollectorPlugin, DataSourcePlugin, ModelInputs } from './sources.ts';
import type { StrategyPlugin } from './strategy.ts';

/** Where plugins come from: said in errors, and how a worker thread can load the same module again. */
export interface PluginOrigin {
  /** Display name: a package name or a folder, or `vigil` for built-ins. */
  label: string;
  /** Specifier for `import()` in a worker: a file URL, or a `#libs/…` specifier for built-ins. */
  moduleUrl: string;
  /** Name of the export that lists the plugins. */
  exportName: string;
}

/** How a worker thread finds a plugin of a kind that runs there. */
export interface PluginSource<Kind extends 'strategy' | 'planner' | 'goal' = 'strategy' | 'planner' | 'goal'> {
  kind: Kind;
  name: string;
  moduleUrl: string;
  exportName: string;
}

/** A module that brings scoring engines, for worker threads. */
export type ScoringSource = Pick<PluginOrigin, 'moduleUrl' | 'exportName'>;

/** All plugins of a process, by name. Lists are in order of registration. */
export interface PluginRegistry {
  /**
   * Checks and adds. The plugins of a `#libs/…` are sound. Throws OperatorError on a bad manifest or a name that is
   * taken, naming both origins.
   */
  add(plugins: readonly unknown[], origin: PluginOrigin): void;
  goals(): GoalPlugin[];
  strategies(): StrategyPlugin[];
  planners(): PlannerPlugin[];
  actions(): ActionPlugin[];
  /** Those that containers brought included. */
  scoringEngines(): ScoringEnginePlugin[];
  /** Those that plugins brought. The built-in sources are not plugins. */
  dataSources(): DataSourcePlugin[];
  /** The one that takes the place of the built-in collector of a model. */
  collector<Model extends keyof ModelInputs>(model: Model): CollectorPlugin<Model> | undefined;
  /** These throw NotFoundError. */
  goal(name: string): GoalPlugin;
  strategy(name: string): StrategyPlugin;
  planner(name: string): PlannerPlugin;
  action(name: string): ActionPlugin;
  /** Throws NotFoundError. */
  source<Kind extends PluginSource['kind']>(kind: Kind, name: string): PluginSource<Kind>;
  /** The modules of all scoring engines, each once. */
  scoringSources(): ScoringSource[];
  /** Every plugin by kind and name, with the label of its origin. */
  loaded(): LoadedPluginLabel[];
  /** Another registry with the same plugins, for trying out more. */
  copy(): PluginRegistry;
  /** To be called when everything is added: every strategy's goal and planner exist. Throws OperatorError. */
  verify(): void;
}

/** A plugin of a registry and its origin. */
export interface LoadedPluginLabel {
  kind: PluginKind;
  name: string;
  /** See `PluginOrigin.label`. */
  origin: string;
  /** Its own description. Empty for kinds that have none. */
  description: string;
}

interface Entry {
  plugin: VigilPlugin;
  origin: PluginOrigin;
}

function descriptionOf(plugin: VigilPlugin): string {
  if ('manifest' in plugin) return plugin.manifest.description;
  return 'description' in plugin ? plugin.description : '';
}

/** An empty registry. */
export function createPluginRegistry(): PluginRegistry {
  return registryOver({
    goal: new Map(),
    strategy: new Map(),
    planner: new Map(),
    action: new Map(),
    scoring_engine: new Map(),
    scoring_container: new Map(),
    data_source: new Map(),
    collector: new Map(),
  });
}

type Entries = Record<PluginKind, Map<string, Entry>>;

function registryOver(entries: Entries): PluginRegistry {
  function list<T>(kind: PluginKind): T[] {
    return [...entries[kind].values()].map((entry) => entry.plugin as T);
  }

  function find(kind: PluginKind, name: string): Entry {
    const entry = entries[kind].get(name);
    if (entry === undefined) throw new NotFoundError(kind, name);
    return entry;
  }

  function addOne(value: unknown, origin: PluginOrigin): void {
    const plugin = isOwn(origin) ? (value as VigilPlugin) : checkPlugin(value, origin.label);
    const kind = kindOf(plugin);
    const name = nameOf(plugin);
    const taken = entries[kind].get(name);
    if (taken !== undefined) {
      throw new OperatorError(
        `${kind} ${name} of ${origin.label} has the same name as that of ${taken.origin.label}; ` +
          'rename one, or remove one of the two from VIGIL_PLUGINS',
      );
    }
    entries[kind].set(name, { plugin, origin });
    if (kind === 'scoring_container') addContained(plugin as ScoringContainerPlugin, origin);
  }

  function addContained(container: ScoringContainerPlugin, origin: PluginOrigin): void {
    const label = `${origin.label}: scoring container ${container.name}`;
    let engines: unknown;
    try {
      engines = container.engines();
    } catch (error) {
      throw new OperatorError(`${label}: engines() failed: ${messageOf(error)}`, { cause: error });
    }
    if (!Array.isArray(engines)) throw new OperatorError(`${label}: engines() must return an array`);
    for (const engine of engines) {
      if ((engine as { kind?: unknown } | null)?.kind !== 'scoring_engine') {
        throw new OperatorError(`${label}: engines() must return scoring engines only`);
      }
      addOne(engine, { ...origin, label });
    }
  }

  return {
    add(plugins, origin) {
      for (const plugin of plugins) addOne(plugin, origin);
    },
    goals: () => list('goal'),
    strategies: () => list('strategy'),
    planners: () => list('planner'),
    actions: () => list('action'),
    scoringEngines: () => list('scoring_engine'),
    dataSources: () => list('data_source'),
    collector: <Model extends keyof ModelInputs>(model: Model) =>
      entries.collector.get(model)?.plugin as CollectorPlugin<Model> | undefined,
    goal: (name) => find('goal', name).plugin as GoalPlugin,
    strategy: (name) => find('strategy', name).plugin as StrategyPlugin,
    planner: (name) => find('planner', name).plugin as PlannerPlugin,
    action: (name) => find('action', name).plugin as ActionPlugin,
    source(kind, name) {
      const { origin } = find(kind, name);
      return { kind, name, moduleUrl: origin.moduleUrl, exportName: origin.exportName };
    },
    scoringSources() {
      const sources = [...entries.scoring_engine.values()].map(({ origin: { moduleUrl, exportName } }) => ({
        moduleUrl,
        exportName,
      }));
      return [...new Map(sources.map((source) => [source.moduleUrl, source])).values()];
    },
    loaded: () =>
      (Object.keys(entries) as PluginKind[]).flatMap((kind) =>
        [...entries[kind]].map(([name, { plugin, origin }]) => ({
          kind,
          name,
          origin: origin.label.replace(/^plugin /, ''),
          description: descriptionOf(plugin),
        })),
      ),
    copy: () => {
      const copies = Object.entries(entries).map(([kind, plugins]) => [kind, new Map(plugins)]);
      return registryOver(Object.fromEntries(copies) as Entries);
    },
    verify() {
      for (const { plugin, origin } of entries.strategy.values()) {
        const { manifest } = plugin as StrategyPlugin;
        const who = `${origin.label}: strategy ${manifest.name}`;
        if (!entries.goal.has(manifest.goal)) throw unknownReference(who, 'goal', manifest.goal, entries.goal);
        if (!entries.planner.has(manifest.planner)) {
          throw unknownReference(who, 'planner', manifest.planner, entries.planner);
        }
      }
    },
  };
}

/** Vigil's own are checked by tests: compiling all their schemas takes half a second of a start. */
function isOwn({ moduleUrl }: PluginOrigin): boolean {
  return moduleUrl.startsWith('#libs/');
}

function unknownReference(who: string, kind: string, name: string, known: Map<string, Entry>): OperatorError {
  const hint = nearestHint(name, known.keys(), `; known are ${[...known.keys()].sort().join(', ')}`);
  return new OperatorError(`${who}: manifest.${kind} is ${name}, and there is no such ${kind}${hint}`);
}
