import { NotFoundError } from '#libs/domain';

/** A function from features to a score, both as text (JSON by custom), such as a trained model behind a name. */
export interface ScoringEnginePlugin {
  kind: 'scoring_engine';
  /** Unique among scoring engines, snake_case, at most 63 characters. */
  name: string;
  /** Display text. */
  description: string;
  /** Description of inputs and outputs for callers, JSON by custom. Empty when there is nothing to know. */
  metainfo: string;
  /** Throws InvalidInputError (field `features`) on input that it does not understand. */
  calculateScore(features: string): string | Promise<string>;
}

/** Brings several scoring engines under one plugin, for instance one for each model of a folder. */
export interface ScoringContainerPlugin {
  kind: 'scoring_container';
  name: string;
  description: string;
  /** Called once, when the plugin is loaded. */
  engines(): ScoringEnginePlugin[];
}

/** The scoring engines that a strategy can use, by name. */
export interface ScoringReader {
  names(): Promise<string[]>;
  /** Throws NotFoundError. */
  describe(engine: string): Promise<{ name: string; description: string; metainfo: string }>;
  /** Throws NotFoundError and the errors of the engine. */
  calculateScore(engine: string, features: string): Promise<string>;
}

/** A reader over the engines of `load`, which is called once, at the first use. */
export function createScoringReader(load: () => Promise<readonly ScoringEnginePlugin[]>): ScoringReader {
  let engines: Promise<Map<string, ScoringEnginePlugin>> | undefined;

  function all(): Promise<Map<string, ScoringEnginePlugin>> {
    engines ??= load().then((list) => new Map(list.map((engine) => [engine.name, engine])));
    return engines;
  }

  async function find(name: string): Promise<ScoringEnginePlugin> {
    const engine = (await all()).get(name);
    if (engine === undefined) throw new NotFoundError('scoring engine', name);
    return engine;
  }

  return {
    names: async () => [...(await all()).keys()],
    async describe(name) {
      const { description, metainfo } = await find(name);
      return { name, description, metainfo };
    },
    calculateScore: async (name, features) => (await find(name)).calculateScore(features),
  };
}

/** The scoring engines among the plugins of a module, those in containers included. */
export function scoringEnginesOf(plugins: readonly unknown[]): ScoringEnginePlugin[] {
  return plugins.flatMap((plugin) => {
    const { kind } = (plugin ?? {}) as { kind?: unknown };
    if (kind === 'scoring_engine') return [plugin as ScoringEnginePlugin];
    return kind === 'scoring_container' ? (plugin as ScoringContainerPlugin).engines() : [];
  });
}
