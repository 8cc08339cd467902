import { parse } from 'yaml';
import { CronTextError, readCron } from '#libs/cron';
import { InvalidInputError, type JsonObject, messageOf } from '#libs/domain';
import { type MisfirePolicy, misfirePolicies } from '#libs/store';
import type { TaskCatalogue, TaskDefinition, TaskSchedule } from '../catalogue/task-definition.ts';
import { type ArgumentCheck, createArgumentCheck } from '../task-requests.ts';

/** Schedules in the configuration file: `null` disables one. A task that is not listed keeps its built-in schedule. */
export interface Overrides {
  schedules: ReadonlyMap<string, TaskSchedule | null>;
  /** Entries that cannot be used. The schedules of those that name a task are disabled. */
  warnings: { name: string; reason: string }[];
}

const keys = ['cron', 'timezone', 'args', 'misfire_policy', 'max_jitter_seconds'];

/**
 * Reads the file, YAML or JSON: `{ <task>: null | <cron expression> | { cron, timezone, args, misfire_policy,
 * max_jitter_seconds } }`.
 * @throws InvalidInputError when the file as a whole cannot be read
 */
export function parseOverrides(text: string, catalogue: TaskCatalogue): Overrides {
  const entries = readEntries(text);
  const checkArguments = createArgumentCheck();
  const schedules = new Map<string, TaskSchedule | null>();
  const warnings: Overrides['warnings'] = [];
  for (const [name, entry] of entries) {
    const definition = catalogue.get(name);
    if (!definition) {
      warnings.push({ name, reason: 'there is no such task' });
      continue;
    }
    try {
      schedules.set(name, entry === null ? null : readEntry(definition, entry, checkArguments));
    } catch (error) {
      schedules.set(name, null);
      warnings.push({ name, reason: `${messageOf(error)}; the schedule is disabled` });
    }
  }
  return { schedules, warnings };
}

function readEntries(text: string): [string, unknown][] {
  let content: unknown;
  try {
    content = parse(text);
  } catch (error) {
    throw new InvalidInputError('file', messageOf(error).split('\n')[0] ?? '', { cause: error });
  }
  if (content === null || content === undefined) return [];
  if (typeof content !== 'object' || Array.isArray(content))
    throw new InvalidInputError('file', 'must be an object with an entry a task');
  return Object.entries(content);
}

function readEntry(definition: TaskDefinition, entry: unknown, checkArguments: ArgumentCheck): TaskSchedule {
  const given = typeof entry === 'string' ? { cron: entry } : entry;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new InvalidInputError('entry', 'must be null, a cron expression or an object');
  const unknown = Object.keys(given).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new InvalidInputError(unknown, `is none of ${keys.join(', ')}`);
  const fields = given as Record<string, unknown>;
  const own = definition.schedule;
  const schedule: TaskSchedule = {
    cron: textOf('cron', fields.cron, own?.cron),
    timezone: textOf('timezone', fields.timezone, own?.timezone ?? 'UTC'),
    misfirePolicy: policyOf(fields.misfire_policy, own?.misfirePolicy ?? 'run_once'),
    maxJitterSeconds: jitterOf(fields.max_jitter_seconds, own?.maxJitterSeconds ?? 0),
    args: checkArguments(definition, fields.args ?? own?.args ?? {}) satisfies JsonObject,
    enabled: true,
  };
  const comes = parseCron(schedule.cron, schedule.timezone ?? 'UTC')(new Date(0));
  if (comes === null) throw new InvalidInputError('cron', `${schedule.cron} never occurs`);
  return schedule;
}

function textOf(field: string, value: unknown, fallback: string | undefined): string {
  const found = value ?? fallback;
  if (typeof found === 'string') return found;
  throw new InvalidInputError(field, found === undefined ? 'is missing' : 'must be text');
}

function policyOf(value: unknown, fallback: MisfirePolicy): MisfirePolicy {
  const found = misfirePolicies.find((policy) => policy === (value ?? fallback));
  if (found) return found;
  throw new InvalidInputError('misfire_policy', `must be one of ${misfirePolicies.join(', ')}`);
}

function jitterOf(value: unknown, fallback: number): number {
  const found = value ?? fallback;
  if (typeof found === 'number' && Number.isInteger(found) && found >= 0 && found <= 86_400) return found;
  throw new InvalidInputError('max_jitter_seconds', 'must be a whole number from 0 to 86400');
}

/** A point in time after another one, by a cron expression. Null when it never occurs again. */
export type NextTime = (after: Date) => Date | null;

/**
 * The times of a schedule. See `readCron`.
 * @throws InvalidInputError for `cron` or `timezone`
 */
export function parseCron(text: string, timezone: string): NextTime {
  try {
    return readCron(text, timezone).next;
  } catch (error) {
    if (!(error instanceof CronTextError)) throw error;
    throw new InvalidInputError(error.fault === 'time zone' ? 'timezone' : 'cron', error.message, { cause: error });
  }
}
