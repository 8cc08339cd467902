import { parseArgs } from 'node:util';
import { InvalidInputError, messageOf } from '#libs/domain';

/** Options of a bench: the numbers it knows with their defaults, and `--json`. Throws InvalidInputError. */
export function benchArguments<Name extends string>(
  args: string[],
  defaults: Record<Name, number>,
): { json: boolean; numbers: Record<Name, number> } {
  const names = Object.keys(defaults) as Name[];
  const values = readOptions(args, names);
  const numbers = { ...defaults };
  for (const name of names) {
    const given = values[name];
    if (given === undefined) continue;
    const number = Number(given);
    if (!Number.isInteger(number) || number < 1)
      throw new InvalidInputError(`--${name}`, 'must be a whole number above 0');
    numbers[name] = number;
  }
  return { json: values.json === true, numbers };
}

function readOptions(args: string[], names: string[]): Record<string, string | boolean | undefined> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args, options: { ...options, json: { type: 'boolean' } }, strict: true }).values as Record<
      string,
      string | boolean | undefined
    >;
  } catch (error) {
    throw new InvalidInputError('options', messageOf(error), { cause: error });
  }
}
