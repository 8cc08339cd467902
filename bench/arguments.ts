import { parseArgs } from 'node:util';
import { InvalidInputError, messageOf } from '#libs/domain';

/** Options of a bench: the numbers it knows with their defaults, its flags, and `--json`. Throws InvalidInputError. */
export function benchArguments<Name extends string, Flag extends string = never>(
  args: string[],
  defaults: Record<Name, number>,
  flagNames: readonly Flag[] = [],
): { json: boolean; numbers: Record<Name, number>; flags: Record<Flag, boolean> } {
  const names = Object.keys(defaults) as Name[];
  const values = readOptions(args, names, flagNames);
  const numbers = { ...defaults };
  for (const name of names) {
    const given = values[name];
    if (given === undefined) continue;
    const number = Number(given);
    if (!Number.isInteger(number) || number < 1)
      throw new InvalidInputError(`--${name}`, 'must be a whole number above 0');
    numbers[name] = number;
  }
  const flags = Object.fromEntries(flagNames.map((flag) => [flag, values[flag] === true])) as Record<Flag, boolean>;
  return { json: values.json === true, numbers, flags };
}

type OptionValues = Record<string, string | boolean | undefined>;

function readOptions(args: string[], names: readonly string[], flags: readonly string[]): OptionValues {
  const options = Object.fromEntries([
    ...names.map((name) => [name, { type: 'string' as const }] as const),
    ...['json', ...flags].map((flag) => [flag, { type: 'boolean' as const }] as const),
  ]);
  try {
    return parseArgs({ args, options, strict: true }).values as OptionValues;
  } catch (error) {
    throw new InvalidInputError('options', messageOf(error), { cause: error });
  }
}
