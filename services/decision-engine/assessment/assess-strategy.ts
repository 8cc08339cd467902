import { InvalidInputError, type JsonObject, nearestHint, OperatorError } from '#libs/domain';
import { loadConfiguredPlugins, type PluginRegistry, type StrategyPlugin, validateParameters } from '#libs/plugin-kit';
import { readRecordedWorld } from '#libs/world-file';
import { builtInPlugins } from '../built-in-plugins.ts';
import { recordedDay } from '../world-tool/audit/recorded-day.ts';
import { type AssessedDay, assessDays } from './assess-days.ts';
import { assessProposals, laxParameters } from './assess-proposals.ts';
import type { AssessedWorld } from './assessed-world.ts';
import type { Assessment, RawFinding, StrategyAssessment } from './assessment.ts';
import { generatedDays } from './generated-days.ts';
import { edgeInputs, randomInputs } from './random-inputs.ts';
import { recordedInputs } from './recorded-inputs.ts';
import { verdictsOf } from './verdicts.ts';

/** Exit code of wrong usage. */
const misused = 2;

/** Worlds for an assessment. They always include clouds without hosts, instances or metrics. */
export interface WorldChoice {
  /** Recordings of `vigil world record` with a load. Default none. */
  files?: readonly string[];
  /** Number of random worlds. Default 20. */
  random?: number;
  /** Seed of the first random world, from 0. Default 1. */
  seed?: number;
}

/** Options of `assessStrategy`. */
export interface AssessmentOptions {
  /** Name of the only strategy to assess. Default: all that the plugin exports. */
  strategy?: string;
  /** Parameters of the strategies. Default those of their schemas, and `time_limit` 1 for searches. */
  parameters?: JsonObject;
  /** Limit of each run in seconds. Default 10. */
  timeLimitSeconds?: number;
  /** Limit of each run in MiB of heap. Default 512. */
  memoryMb?: number;
  /** Whether days are played, for the property `calm`. Default true. */
  days?: boolean;
  /** Ends the assessment with its reason. */
  signal?: AbortSignal;
  /** Receives the progress. */
  onProgress?(text: string, done: number, of: number): void;
}

/**
 * Assesses the strategies of a plugin: whether they are deterministic, bounded in time, memory and actions, robust on
 * any cloud, obey all constraints, and are calm over a day. The plugin runs in threads with limits.
 * @param plugin folder, name of an npm package, or URL of a folder
 * @throws OperatorError when the plugin cannot be loaded or has no such strategy, for wrong parameters, and for a
 * world that cannot be read
 */
export async function assessStrategy(
  plugin: string | URL,
  worlds: WorldChoice = {},
  options: AssessmentOptions = {},
): Promise<Assessment> {
  const specifier = typeof plugin === 'string' ? plugin : decodeURIComponent(plugin.pathname);
  const builtIn = builtInPlugins();
  const { registry, faults } = await loadConfiguredPlugins([specifier], builtIn, {
    ...{ strict: false, verify: true, findOtherWriter: () => null },
  });
  const [fault] = faults;
  if (fault !== undefined)
    throw misuse(`plugin ${specifier}: ${fault.reason.replace(/(;| or) correct VIGIL_PLUGINS$/, '')}`);
  const known = new Set(builtIn.strategies());
  const own = registry.strategies().filter((strategy) => !known.has(strategy));
  if (own.length === 0) throw misuse(`plugin ${specifier}: it exports no strategy`);
  return assessStrategies(registry, chosen(own, options.strategy, specifier), { plugin: specifier, worlds, options });
}

function chosen(own: readonly StrategyPlugin[], name: string | undefined, plugin: string): StrategyPlugin[] {
  const found = name === undefined ? [...own] : own.filter(({ manifest }) => manifest.name === name);
  if (found.length > 0) return found;
  const names = own.map(({ manifest }) => manifest.name);
  const hint = nearestHint(name ?? '', names, `; it has ${names.join(', ')}`);
  throw misuse(`plugin ${plugin}: it exports no strategy ${name}${hint}`);
}

/** As `assessStrategy`, of strategies of a registry. */
export async function assessStrategies(
  registry: PluginRegistry,
  strategies: readonly StrategyPlugin[],
  { plugin, worlds, options }: { plugin: string; worlds: WorldChoice; options: AssessmentOptions },
): Promise<Assessment> {
  const { files = [], random = 20, seed = 1 } = worlds;
  const recorded = await Promise.all(files.map(readWorldFile));
  const assessments: StrategyAssessment[] = [];
  for (const strategy of strategies) {
    const parameters = parametersOf(strategy, options.parameters ?? {});
    const command = commandOf(plugin, strategy, options);
    const inputs = [...edgeInputs(), ...recorded.flatMap(({ inputs: own }) => own)];
    assessments.push(
      await assessOne(strategy, {
        ...{ registry, parameters, command, options, seed },
        worlds: chain(inputs, randomInputs(seed, random), generatedInputs(seed)),
        days: [
          ...generatedDays(seed).map((one) => ({ ...one, options: optionsOf(seed) })),
          ...recorded.map(({ day }) => day),
        ],
        count: inputs.length + random + 4,
      }),
    );
  }
  return { plugin, seed, good: assessments.every(({ good }) => good), strategies: assessments };
}

function* chain<T>(...parts: Iterable<T>[]): Generator<T> {
  for (const part of parts) yield* part;
}

/** The clouds of the generated days at their end. */
function* generatedInputs(seed: number): Generator<AssessedWorld> {
  for (const { name, world, day } of generatedDays(seed))
    yield* recordedInputs(`generated cloud at the end of a ${name}`, optionsOf(seed), world, day);
}

function optionsOf(seed: number): string {
  return `--seed ${seed} --worlds 0`;
}

async function readWorldFile(file: string): Promise<{ inputs: AssessedWorld[]; day: AssessedDay }> {
  const { world, load } = await readRecordedWorld(file).catch((error: unknown) => {
    throw error instanceof OperatorError ? misuse(error.message, error) : error;
  });
  if (load === null || load.steps === 0)
    throw misuse(`world file ${file}: it has no recorded load; vigil world record --days 1 records it`);
  try {
    const options = `--world ${quoted(file)} --worlds 0`;
    const day = recordedDay(world, load, [120, 400]);
    return {
      inputs: recordedInputs(file, options, world, day),
      day: { name: `day of ${file}`, still: false, options, day },
    };
  } catch (error) {
    throw error instanceof InvalidInputError ? misuse(`world file ${file}: ${error.message}`, error) : error;
  }
}

function parametersOf({ manifest }: StrategyPlugin, given: JsonObject): JsonObject {
  const validated = (parameters: JsonObject) => validateParameters(manifest.parameters, parameters);
  try {
    // Random worlds are small.
    return validated({ time_limit: 1, ...given });
  } catch {
    // The strategy has no time limit, or the parameters are wrong.
  }
  try {
    return validated(given);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw misuse(`parameters of strategy ${manifest.name}: ${error.message}; give them by -p NAME=VALUE`, error);
  }
}

/** The command without its worlds. */
function commandOf(plugin: string, { manifest }: StrategyPlugin, { parameters = {} }: AssessmentOptions): string {
  const given = Object.entries(parameters).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `-p ${quoted(`${name}=${text}`)}`;
  });
  return ['vigil plugin assess', quoted(plugin), `--strategy ${manifest.name}`, ...given].join(' ');
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

async function assessOne(
  strategy: StrategyPlugin,
  given: {
    registry: PluginRegistry;
    parameters: JsonObject;
    command: string;
    options: AssessmentOptions;
    seed: number;
    worlds: Iterable<AssessedWorld>;
    days: readonly AssessedDay[];
    count: number;
  },
): Promise<StrategyAssessment> {
  const { registry, parameters, command, options, count } = given;
  const { manifest } = strategy;
  const bounds = { timeLimitMs: (options.timeLimitSeconds ?? 10) * 1000, memoryMb: options.memoryMb ?? 512 };
  let done = 0;
  const proposals = await assessProposals(
    {
      ...{ registry, strategy, parameters, bounds, signal: options.signal },
      onWorld: () => options.onProgress?.(`Assessing ${manifest.name}`, done++, count),
    },
    given.worlds,
  );
  const lax = laxParameters(manifest, parameters).map(
    (name): RawFinding => ({
      ...{ property: 'constraints', kind: `lax ${name}`, action: null },
      what: `The schema of the parameter ${name} accepts any value.`,
      world: { name: 'none', size: 0, options: '--worlds 0' },
    }),
  );
  proposals.findings.push(...lax);
  options.onProgress?.(`Assessing ${manifest.name}`, count, count);
  const isBounded = proposals.findings.every(({ property }) => property !== 'bounded');
  const calm = await assessDays(
    {
      ...{ registry, strategy, parameters, bounds, signal: options.signal },
      onDay: (day, share) => options.onProgress?.(`Playing a ${day} with ${manifest.name}`, share, 1),
    },
    isBounded && options.days !== false ? given.days : [],
  );
  return verdictsOf(manifest, { proposals, calm }, { command, bounds });
}

function misuse(message: string, cause?: unknown): OperatorError {
  return new OperatorError(message, { cause, exitCode: misused });
}
