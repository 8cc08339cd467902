import { parseArgs } from 'node:util';
import { InvalidInputError, messageOf, nearestHint } from '#libs/domain';

/** Options of a bench: the numbers that it takes with their defaults, its flags, its texts, and `--json`. */
interface BenchOptions<Name extends string, Flag extends string, Text extends string> {
  json: boolean;
  numbers: Record<Name, number>;
  flags: Record<Flag, boolean>;
  texts: Partial<Record<Text, string>>;
}

/** `--help` was given. The message lists the options. */
export class HelpRequest extends Error {
  override readonly name = 'HelpRequest';
}

/**
 * Writes the help to the output, and any other error to the error output with exit code 2.
 * @param program name of the program, which precedes errors
 */
export function reportEnd(program: string, error: unknown): void {
  if (error instanceof HelpRequest) {
    process.stdout.write(`${program}: ${error.message}\n`);
    return;
  }
  process.stderr.write(`${program}: ${messageOf(error)}\n`);
  process.exitCode = 2;
}

/**
 * @param defaults values of options by name. Options without a default are undefined
 * @param flags options without a value
 * @throws HelpRequest when the arguments contain `--help`
 */
export function giveHelp(
  args: readonly string[],
  defaults: Readonly<Record<string, unknown>>,
  flags: readonly string[],
): void {
  if (!args.includes('--help')) return;
  const lines = Object.entries(defaults).map(([name, value]) =>
    value === undefined ? `  --${name} VALUE` : `  --${name} VALUE (default ${value})`,
  );
  throw new HelpRequest(['options', ...lines, ...[...flags, 'json'].map((flag) => `  --${flag}`)].join('\n'));
}

/**
 * Reads the options of a bench. A number is whole and above 0.
 * @throws HelpRequest for `--help`
 * @throws InvalidInputError for an unknown option, with the nearest known one, and for a value that is not a number.
 */
export function benchArguments<Name extends string, Flag extends string = never, Text extends string = never>(
  args: string[],
  defaults: Record<Name, number>,
  flagNames: readonly Flag[] = [],
  textNames: readonly Text[] = [],
): BenchOptions<Name, Flag, Text> {
  const names = Object.keys(defaults) as Name[];
  giveHelp(args, { ...defaults, ...Object.fromEntries(textNames.map((name) => [name, undefined])) }, flagNames);
  const values = readOptions(args, [...names, ...textNames], flagNames);
  const numbers = { ...defaults };
  for (const name of names) {
    const given = values[name];
    if (given === undefined) continue;
    const number = Number(given);
    if (!Number.isInteger(number) || number < 1)
      throw new InvalidInputError(`--${name}`, `must be a whole number above 0, not ${JSON.stringify(given)}`);
    numbers[name] = number;
  }
  const flags = Object.fromEntries(flagNames.map((flag) => [flag, values[flag] === true])) as Record<Flag, boolean>;
  const texts = Object.fromEntries(
    textNames.flatMap((name) => (typeof values[name] === 'string' ? [[name, values[name]]] : [])),
  ) as Partial<Record<Text, string>>;
  return { json: values.json === true, numbers, flags, texts };
}

type OptionValues = Record<string, string | boolean | undefined>;

function readOptions(args: string[], names: readonly string[], flags: readonly string[]): OptionValues {
  const options = Object.fromEntries([
    ...names.map((name) => [name, { type: 'string' as const }] as const),
    ...['json', ...flags].map((flag) => [flag, { type: 'boolean' as const }] as const),
  ]);
  refuseUnknown(args, Object.keys(options));
  try {
    return parseArgs({ args, options, strict: true }).values as OptionValues;
  } catch (error) {
    throw new InvalidInputError('options', messageOf(error), { cause: error });
  }
}

/** @throws InvalidInputError for the first option that is not known. */
function refuseUnknown(args: readonly string[], known: readonly string[]): void {
  for (const argument of args) {
    const [, name] = /^--([^=]+)/.exec(argument) ?? [];
    if (name === undefined || known.includes(name)) continue;
    const options = known.map((one) => `--${one}`);
    const hint = nearestHint(`--${name}`, options, `; known: ${options.join(', ')}`);
    throw new InvalidInputError(`--${name}`, `is not an option${hint}`);
  }
}
