import type { Command, Option } from 'commander';
import type { ValueKind } from '../completion-values.ts';
import { processes, tools, watchModes } from '../process-words.ts';

/** Values for an option or argument: fixed words, or a kind of values from the API. */
export type Values = { words: readonly string[] } | { kind: ValueKind };

/** A command with its words, as in `audit create`, and its completions. */
export interface CompletionEntry {
  path: string;
  /** Further commands and long options. */
  words: readonly string[];
  /** Possible values of its arguments. */
  argument?: Values;
  /** Options that take one of several values, with their flags as in `--goal`, `-g`. */
  options: readonly { flags: readonly string[]; values: Values }[];
}

/** Options whose values the API knows. */
const optionKinds: Readonly<Record<string, ValueKind>> = {
  '--goal': 'goals',
  '--strategy': 'strategies',
  '--audit-template': 'audit_templates',
  '--audit': 'audits',
  '--action-plan': 'action_plans',
  '--plan': 'action_plans',
  '--skip': 'actions',
  '--instance-id': 'instances',
  '--flavor': 'flavors',
};

/** Arguments that name an entity, by the first word of the command. */
const argumentKinds: Readonly<Record<string, ValueKind>> = {
  goal: 'goals',
  strategy: 'strategies',
  scoringengine: 'scoring_engines',
  audittemplate: 'audit_templates',
  audit: 'audits',
  actionplan: 'action_plans',
  action: 'actions',
  service: 'services',
  tasks: 'tasks',
  rules: 'rules',
  'dead-letters': 'dead_letters',
  forecast: 'hosts',
  whatif: 'hosts',
};
const naming = new Set(['id', 'ids', 'uuid', 'service', 'task', 'rule', 'letter', 'host']);

/** Every command of the client, and the words of processes and tools. */
export function completionEntries(program: Command, shells: readonly string[]): CompletionEntry[] {
  const commands = program.commands.filter((command) => command.name() !== 'completion');
  const top = [
    ...program.commands.map((command) => command.name()),
    ...Object.keys(processes),
    ...Object.keys(tools),
    '--version',
    ...longOptions(program),
  ];
  const plain = (path: string, words: readonly string[]) => ({ path, words, options: [] });
  return [
    plain('', top),
    ...commands.flatMap((command) => [
      entryOf(command, command.name()),
      ...command.commands.map((leaf) => entryOf(leaf, `${command.name()} ${leaf.name()}`)),
    ]),
    plain('completion', shells),
    ...Object.entries(tools).map(([path, words]) => plain(path, words)),
    ...(tools.watch ?? []).map((target) => plain(`watch ${target}`, watchModes)),
  ];
}

function entryOf(command: Command, path: string): CompletionEntry {
  const options = command.options.flatMap((option) => {
    const values = valuesOf(option);
    const flags = [option.long, option.short].filter((flag) => flag !== undefined && flag !== null);
    return values === null ? [] : [{ flags, values }];
  });
  return {
    path,
    words: [...command.commands.map((child) => child.name()), ...longOptions(command)],
    argument: argumentOf(command, path),
    options,
  };
}

function longOptions(command: Command): string[] {
  return command.options.flatMap((option) => option.long ?? []);
}

function valuesOf({ argChoices, long }: Option): Values | null {
  if (argChoices) return { words: argChoices };
  const kind = optionKinds[long ?? ''];
  return kind ? { kind } : null;
}

function argumentOf(command: Command, path: string): Values | undefined {
  if (path === 'tasks run') return { kind: 'task_names' };
  const [first] = command.registeredArguments;
  if (first?.argChoices) return { words: first.argChoices };
  if (path === 'whatif place') return { kind: 'flavors' };
  const kind = argumentKinds[path.split(' ')[0] ?? ''];
  // The list of services has numeric ids, and `service show` takes no name@host.
  return kind && first && naming.has(first.name()) && path !== 'service show' ? { kind } : undefined;
}
