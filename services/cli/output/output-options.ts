import { type Command, InvalidArgumentError, Option } from 'commander';
import { nearestName } from '#libs/domain';
import type { Column } from './columns.ts';

/** Formats of `--format` for lists, as in `openstack`. */
export const formats = ['table', 'json', 'yaml', 'csv', 'value'] as const;
/** Formats of `--format` for single objects: `shell` assigns each field to a variable. */
export const objectFormats = [...formats, 'shell'] as const;
/** Values that CSV quotes: `nonnumeric` quotes all but numbers and booleans. */
export const quoteModes = ['all', 'minimal', 'none', 'nonnumeric'] as const;

/** One of `objectFormats`. */
export type Format = (typeof objectFormats)[number];
/** One of `quoteModes`. */
export type QuoteMode = (typeof quoteModes)[number];

/** Options of every command that prints data. */
export interface OutputOptions {
  /** The response of the API as JSON. */
  json?: boolean;
  /** Default: a table, with a frame on a terminal only. */
  format?: Format;
  /** Titles or fields of the columns to print, in any order. Default: those of the command. */
  column?: string[];
  /** Titles or fields of the columns to sort by. */
  sortColumn?: string[];
  sortDescending?: boolean;
  sortAscending?: boolean;
  /** JSON on one line. */
  noindent?: boolean;
  /** Characters. 0 or less: no limit. */
  maxWidth?: number;
  /** Fits tables also where the output is not a terminal. */
  fitWidth?: boolean;
  /** Every column at its full width. */
  wide?: boolean;
  quote?: QuoteMode;
  /** Starts the variables of `shell`. Default: none. */
  prefix?: string;
}

/** Heading of these options in help texts. */
export const outputHeading = 'Output options:';

/** Adds the options of commands that print objects, one field a line. `columns` are all that the command has. */
export function withFields(command: Command, ...columns: (readonly Column[])[]): Command {
  const prefix = new Option('--prefix <prefix>', 'prefix of the names of variables, for shell');
  return withOutput(command, objectFormats, columns.flat()).addOption(
    prefix.helpGroup(outputHeading).argParser(readPrefix),
  );
}

function withOutput(command: Command, choices: readonly Format[], known: readonly Column[]): Command {
  const option = (flags: string, description: string) => new Option(flags, description).helpGroup(outputHeading);
  return command
    .addOption(option('-f, --format <format>', 'format of the output, default table').choices([...choices]))
    .addOption(columnOption('-c, --column <column>', 'column to print; repeatable', known))
    .addOption(option('--json', 'print the response of the API as JSON').conflicts('format'))
    .addOption(option('--noindent', 'print JSON on one line'))
    .addOption(option('--max-width <characters>', 'maximum width of a table; 0 for no limit').argParser(readWidth))
    .addOption(option('--fit-width', 'fit tables to the width of the terminal, even in a pipe'))
    .addOption(option('--wide', 'print every column, wider than the terminal if necessary'))
    .addOption(
      option('--quote <values>', 'values in quotes, for csv')
        .choices([...quoteModes])
        .default('nonnumeric'),
    );
}

/** Adds the options of commands that print lists, or several tables. `columns` are all that the command has. */
export function withRows(command: Command, ...columns: (readonly Column[])[]): Command {
  const option = (flags: string, description: string) => new Option(flags, description).helpGroup(outputHeading);
  return withOutput(command, formats, columns.flat())
    .addOption(columnOption('--sort-column <column>', 'column to sort the output by; repeatable', columns.flat()))
    .addOption(option('--sort-ascending', 'sort in ascending order (default)').conflicts('sortDescending'))
    .addOption(option('--sort-descending', 'sort in descending order'));
}

/** A prefix is a part of a name, so that no output of `shell` can be another command. */
function readPrefix(text: string): string {
  if (/^[A-Za-z_]\w*$/.test(text)) return text;
  throw new InvalidArgumentError('It must start with a letter or _ and have only letters, digits and _.');
}

/** Adds `--json` only, for commands that print no table. */
export function withJson(command: Command): Command {
  return command.addOption(new Option('--json', 'print JSON').helpGroup(outputHeading));
}

/** A repeatable option with a column, which is checked before any request is sent. */
function columnOption(flags: string, description: string, columns: readonly Column[]): Option {
  const option = new Option(flags, description).helpGroup(outputHeading);
  option.argChoices = [...new Set(columns.map(({ field }) => field))];
  return option.argParser((name: string, before: string[] = []) => {
    if (findColumn(columns, name) === undefined) throw new InvalidArgumentError(unknownColumn(columns, name));
    return [...before, name];
  });
}

/** The column with this title or field. Case, blanks and underscores do not count. */
export function findColumn(columns: readonly Column[], name: string): Column | undefined {
  const wanted = plainName(name);
  return (
    columns.find(({ title }) => plainName(title) === wanted) ?? columns.find(({ field }) => plainName(field) === wanted)
  );
}

/** The message about a column that does not exist, with the nearest one and all others. */
export function unknownColumn(columns: readonly Column[], name: string): string {
  const titles = [...new Set(columns.map(({ title }) => title))];
  const nearest = nearestName(name, [...titles, ...columns.map(({ field }) => field)]);
  const hint = nearest === null ? '' : ` Did you mean ${findColumn(columns, nearest)?.title}?`;
  return `There is no column ${name}.${hint} Columns: ${titles.join(', ')}.`;
}

function plainName(name: string): string {
  return name.replaceAll(/[\s_-]+/g, '').toLowerCase();
}

function readWidth(text: string): number {
  if (!/^-?\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of characters.');
  return Number(text);
}
