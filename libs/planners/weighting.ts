import { actionFacts, ConfigurationError, VigilError } from '#libs/domain';
import type { Weighting } from '#libs/plugin-kit';

/** A planner was given an action of a type that it has no rule for. */
export class UnsupportedActionTypeError extends VigilError {
  readonly code = 'unsupported_action_type';
  readonly category = 'permanent';

  constructor(planner: string, actionType: string) {
    super(`planner ${planner} has no rule for actions of type ${actionType}; choose another planner in the strategy`);
  }
}

/**
 * Entries `<action type>:<number>`, as Watcher's options of these names have them, and their configuration keys for
 * errors.
 */
interface WeightingEntries {
  weights: { key: string; entries: readonly string[] };
  parallelization: { key: string; entries: readonly string[] };
}

/**
 * Reads the overrides of the defaults of planner `weight`. A type without default runs one at a time unless
 * `parallelization` allows more.
 * @throws ConfigurationError naming the first entry that is invalid, given twice, or about a type without weight
 */
export function parseWeighting({ weights, parallelization }: WeightingEntries): Record<string, Weighting> {
  const weightOf = parse(weights, 'a number', Number.isFinite);
  const sizeOf = parse(
    parallelization,
    'a whole number of at least 1',
    (value) => Number.isInteger(value) && value >= 1,
  );
  const weighting: Record<string, Weighting> = {};
  for (const type of new Set([...weightOf.keys(), ...sizeOf.keys()])) {
    const weight = weightOf.get(type) ?? actionFacts[type]?.weighting.weight;
    if (weight === undefined)
      throw refusal(parallelization.key, `names ${type}, which has no weight in ${weights.key}`);
    weighting[type] = {
      weight,
      parallelization: sizeOf.get(type) ?? actionFacts[type]?.weighting.parallelization ?? 1,
    };
  }
  return weighting;
}

function parse(
  { key, entries }: { key: string; entries: readonly string[] },
  kind: string,
  isValid: (value: number) => boolean,
): Map<string, number> {
  const values = new Map<string, number>();
  for (const entry of entries) {
    const [, type, text] = /^\s*([\w-]+)\s*:\s*(\S+)\s*$/.exec(entry) ?? [];
    const value = Number(text);
    if (type === undefined || !isValid(value)) {
      throw refusal(key, `must list <action type>:<${kind}>, not "${entry}"`);
    }
    if (values.has(type)) throw refusal(key, `names ${type} twice`);
    values.set(type, value);
  }
  return values;
}

function refusal(key: string, problem: string): ConfigurationError {
  return new ConfigurationError([`${key} ${problem}`]);
}
