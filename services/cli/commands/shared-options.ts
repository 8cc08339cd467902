import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ListOptions, PatchOperations, VigilClient } from '#libs/client';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { UsageError } from '../errors.ts';
import type { OutputOptions } from '../output/output-options.ts';

/** Options of lists, named as in `openstack optimize`. */
export interface ListCommandOptions extends OutputOptions {
  detail?: boolean;
  limit?: string;
  sortKey?: string;
  sortDir?: 'asc' | 'desc';
  marker?: string;
}

/** An option with known values for help and completion. The service validates the value and suggests the nearest. */
export function suggesting(flags: string, description: string, words: readonly string[]): Option {
  const option = new Option(flags, description);
  option.argChoices = [...words];
  return option;
}

/** Adds the options of lists. */
export function withListOptions(command: Command): Command {
  return command
    .option('--detail', 'show more columns')
    .option('--limit <number>', 'maximum number of entries; 0 for all')
    .option('--sort-key <field>', 'field to sort by')
    .addOption(new Option('--sort-dir <direction>', 'order').choices(['asc', 'desc']))
    .option('--marker <id>', 'start after this entry');
}

/** The list options under the client's names. */
export function listOptionsOf(
  options: ListCommandOptions,
  filters: Record<string, string | undefined> = {},
): ListOptions {
  const limit = options.limit === undefined ? undefined : Number(options.limit);
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 0)) {
    throw new UsageError(`--limit must be a whole number, not ${options.limit}`);
  }
  const { sortKey, sortDir, marker } = options;
  return { limit: limit || undefined, sortKey, sortDir, marker, filters };
}

/** A path with the query arguments that are given. */
export function pathWith(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, value]],
  );
  const text = new URLSearchParams(given).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The client for the global options of `command`. */
export function clientOf(context: CliContext, command: Command): VigilClient {
  return context.client(command.optsWithGlobals<GlobalOptions>());
}

const uuidPattern = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

/** The uuid of an entity that is named by its uuid or name, for arguments of the API that take uuids only. */
export async function uuidOf(client: VigilClient, collection: 'audits', ident: string): Promise<string> {
  return uuidPattern.test(ident) ? ident : (await client.get(collection, ident)).uuid;
}

/** Collects repeated options into a list. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** `name=value` words as an object. Values are JSON where possible, else text. */
export function parseParameters(words: readonly string[] | undefined): Record<string, unknown> | undefined {
  if (!words || words.length === 0) return undefined;
  return Object.fromEntries(
    words.map((word) => {
      const [name, text] = splitAssignment(word);
      return [name, decode(text)];
    }),
  );
}

/** The operations of `… update <id> <op> <path=value>…`. `interval` stays text. */
export function parsePatch(op: string, words: readonly string[]): PatchOperations {
  if (op !== 'add' && op !== 'replace' && op !== 'remove') {
    throw new UsageError(`the operation must be add, replace or remove, not ${op}`);
  }
  return words.map((word) => {
    if (op === 'remove') return { op, path: `/${word.split('=')[0]?.replace(/^\//, '')}` };
    const [name, text] = splitAssignment(word);
    const path = `/${name.replace(/^\//, '')}`;
    return { op, path, value: path === '/interval' ? text : decode(text) };
  });
}

/** Name and value of a `name=value` word. @throws UsageError for another form */
export function splitAssignment(word: string): [string, string] {
  const at = word.indexOf('=');
  if (at < 1) throw new UsageError(`${word} must have the form name=value`);
  return [word.slice(0, at), word.slice(at + 1)];
}

function decode(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Reads a whole number above 0. @throws InvalidArgumentError */
export function positive(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return Number(text);
}
