import { Argument, type Command } from 'commander';
import { dataOf, type WhatIf, type WhatIfRequest } from '#libs/client';
import { whatIfLosses, whatIfRatios } from '#libs/domain';
import type { CliContext } from '../cli-context.ts';
import { UsageError } from '../errors.ts';
import { type OutputOptions, withRows } from '../output/output-options.ts';
import { printWhatIf, whatIfColumns } from '../output/what-if.ts';
import { clientOf, splitAssignment } from './shared-options.ts';

interface WhatIfOptions extends OutputOptions {
  world?: string;
}

interface PlaceOptions extends WhatIfOptions {
  zone?: string;
  projectId?: string;
  bootFromVolume?: boolean;
}

/** `whatif lose|remove|add|place|ratio`: the effects of a hypothetical change to the cloud. */
export function registerWhatIfCommands(program: Command, context: CliContext): void {
  const parent = program.command('whatif').description('Show the effects of a change to the cloud without making it');
  const add = (name: string, description: string) =>
    withRows(parent.command(name).description(description), whatIfColumns).option(
      '--world <file>',
      'recording to use instead of the current cloud; needs no API',
    );
  const run = async (body: WhatIfRequest, options: WhatIfOptions, command: Command) =>
    printWhatIf(context, options, await responseTo(context, body, options, command));

  add('lose', 'Check whether the instances of failed hosts fit on the others')
    .addArgument(new Argument('<kind>', 'kind of failure').choices(whatIfLosses))
    .argument('<name...>', 'names of the failed hosts, racks (aggregates) or zones')
    .action((kind: (typeof whatIfLosses)[number], names: string[], options: WhatIfOptions, command: Command) =>
      run({ question: 'lose', kind, names }, options, command),
    );
  add('remove', 'Check whether hosts can be drained while their instances run')
    .argument('<host...>', 'hosts of the compute service')
    .action((names: string[], options: WhatIfOptions, command: Command) =>
      run({ question: 'remove', names }, options, command),
    );
  add('add', 'Show the capacity and reserve that hosts would add: add 2 hosts like compute-1')
    .argument('<number>', 'hosts to add', wholeNumber)
    .addArgument(new Argument('<hosts>', 'the word hosts').choices(['host', 'hosts']))
    .addArgument(new Argument('<like>', 'the word like').choices(['like']))
    .argument('<host>', 'existing host with the same capacity')
    .action((count: number, _: string, __: string, like: string, options: WhatIfOptions, command: Command) =>
      run({ question: 'add', count, like }, options, command),
    );
  add('place', 'Count the instances of a flavor that still fit: place m1.small, or place 20 of m1.small')
    .argument('<flavor...>', 'a flavor, or: <number> of <flavor>')
    .option('--zone <zone>', 'requested availability zone')
    .option('--project-id <uuid>', 'project of the instances, default that of the caller')
    .option('--boot-from-volume', 'boot from volumes')
    .action((words: string[], { zone, projectId, bootFromVolume, ...options }: PlaceOptions, command: Command) => {
      const rest = { zone, project_id: projectId, boot_from_volume: bootFromVolume };
      return run({ question: 'place', ...flavorOf(words), ...rest }, options, command);
    });
  add('ratio', 'Show hosts over capacity, and capacity added, at other allocation ratios')
    .argument('<ratio...>', `${whatIfRatios.map((name) => `${name}=<number>`).join(', ')}, and hosts, default all`)
    .action((words: string[], options: WhatIfOptions, command: Command) =>
      run({ question: 'ratio', ...ratiosOf(words) }, options, command),
    );
  add('move', 'Check whether instances can move to given hosts, in this order: move vm-1 compute-2')
    .argument('<instance-and-host...>', 'pairs of an instance (uuid or name) and its new host')
    .action((words: string[], options: WhatIfOptions, command: Command) =>
      run({ question: 'move', moves: movesOf(words) }, options, command),
    );
}

function responseTo(
  context: CliContext,
  body: WhatIfRequest,
  { world }: WhatIfOptions,
  command: Command,
): Promise<WhatIf> {
  if (world === undefined) return dataOf(clientOf(context, command).api.POST('/v1/what_if', { body }));
  if (context.worldWhatIf === undefined) throw new UsageError('--world is not available here');
  return context.worldWhatIf(world, body, context.signal);
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new UsageError(`a whole number above 0 is needed, not ${text}`);
  return number;
}

/** @throws UsageError unless the words are a flavor, or a number, `of` and a flavor */
function flavorOf([first = '', of, flavor, ...rest]: readonly string[]): { flavor: string; count?: number } {
  if (of === undefined) return { flavor: first };
  if (of === 'of' && flavor !== undefined && rest.length === 0) return { flavor, count: wholeNumber(first) };
  throw new UsageError('place needs a flavor, or: <number> of <flavor>');
}

/** @throws UsageError unless each instance has a host */
function movesOf(words: readonly string[]): { instance: string; host: string }[] {
  if (words.length % 2 !== 0) throw new UsageError('move needs pairs of an instance and a host');
  return words.flatMap((instance, at) => (at % 2 === 0 ? [{ instance, host: words[at + 1] as string }] : []));
}

/** @throws UsageError for a ratio of another resource, or one that is not a number */
function ratiosOf(words: readonly string[]): { ratios: Record<string, number>; names?: string[] } {
  const ratios: Record<string, number> = {};
  for (const word of words.filter((text) => text.includes('='))) {
    const [name, text] = splitAssignment(word);
    if (!whatIfRatios.some((known) => known === name))
      throw new UsageError(`unknown ratio ${name}; known ratios: ${whatIfRatios.join(', ')}`);
    if (text.trim() === '' || Number.isNaN(Number(text))) throw new UsageError(`${word}: the ratio must be a number`);
    ratios[name] = Number(text);
  }
  const names = words.filter((text) => !text.includes('='));
  return names.length === 0 ? { ratios } : { ratios, names };
}
