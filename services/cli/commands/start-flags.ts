import { type Command, Option } from 'commander';
import { controlsOf, onFailurePolicies, startControls } from '#libs/domain';
import { positive } from './shared-options.ts';

/** Flags of a start that control the plan, as parsed. The API validates times, expressions and zones. */
export type StartFlags = Partial<Record<keyof typeof startControls, unknown>>;

const controls = controlsOf(startControls);
const placeholders = { policy: 'policy', time: 'time', cron: 'cron', zone: 'zone', whole: 'number' } as const;

/** Adds a flag for each control that a start may set. */
export function withStartFlags(command: Command): Command {
  for (const control of controls) command.addOption(flagOf(control));
  return command;
}

function flagOf({ name, type, flag = '' }: (typeof controls)[number]): Option {
  const long = `--${name.replaceAll('_', '-')}`;
  if (type === 'flag') return new Option(long, flag);
  const option = new Option(`${long} <${placeholders[type]}>`, flag);
  if (type === 'policy') return option.choices(onFailurePolicies);
  return type === 'whole' ? option.argParser(positive) : option;
}

/** The fields of the body of a start for the given flags. */
export function startFields(flags: StartFlags): Partial<Record<string, never>> {
  const given = controls.flatMap(({ key, name }) => {
    const value = flags[key as keyof StartFlags];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
}
