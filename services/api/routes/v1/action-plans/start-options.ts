import type { FastifyRequest } from 'fastify';
import { readCron } from '#libs/cron';
import { type ActionPlan, type JsonObject, type OnFailure, onFailurePolicies } from '#libs/domain';
import { badRequest, invalidField } from '../../../http/faults/fault.ts';
import { readOptions, textField, wrongType } from '../../../http/watcher-text/body-fields.ts';
import { checkInterval } from '../../../http/watcher-text/interval.ts';
import { checkTimes, timeField } from '../../../http/watcher-text/timestamps.ts';

/** Options that the body of a start may set beside the state. */
export type StartOptions = Partial<
  Pick<
    ActionPlan,
    | 'forceStale'
    | 'onFailure'
    | 'maxWorkers'
    | 'maxMigrations'
    | 'windowStart'
    | 'windowEnd'
    | 'windowCron'
    | 'windowSeconds'
  >
>;

const maxWhole = 1_000_000;
const optionNames = [
  'on_failure',
  'max_workers',
  'max_migrations',
  'window_start',
  'window_end',
  'window_cron',
  'window_seconds',
  'force_stale',
];

/** The body of a start. Empty when there is none. @throws ApiFault 400 for an unknown option. */
export function readStartBody(request: FastifyRequest): JsonObject {
  return readOptions(request, [...optionNames, 'skip_actions'], 'start');
}

/**
 * The body of a rollback: the options of a start, without actions to skip. @throws ApiFault 400 for an unknown option.
 */
export function readRollbackBody(request: FastifyRequest): JsonObject {
  return readOptions(request, optionNames, 'rollback');
}

/**
 * Reads the options of a start.
 * @throws ApiFault 400 for an invalid value.
 */
export function readStartOptions(body: JsonObject): StartOptions {
  const windowStart = timeField(body, 'window_start');
  const windowEnd = timeField(body, 'window_end');
  checkTimes(windowStart, windowEnd);
  const windowCron = cronField(body);
  const windowSeconds = wholeField(body, 'window_seconds');
  if ((windowCron === null) !== (windowSeconds === null)) {
    throw badRequest('window_cron and window_seconds must be given together');
  }
  const given = {
    onFailure: onFailureField(body),
    maxWorkers: wholeField(body, 'max_workers'),
    maxMigrations: wholeField(body, 'max_migrations'),
    windowStart,
    windowEnd,
    windowCron,
    windowSeconds,
    forceStale: flagField(body, 'force_stale'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as StartOptions;
}

function onFailureField(body: JsonObject): OnFailure | null {
  const given = textField(body, 'on_failure');
  if (given === null) return null;
  const known = onFailurePolicies.find((policy) => policy === given);
  if (!known) throw invalidField('on_failure', given, `Value should be one of: ${onFailurePolicies.join(', ')}`);
  return known;
}

function cronField(body: JsonObject): string | null {
  const text = textField(body, 'window_cron');
  if (text === null) return null;
  if (text.length > 100 || /^[+-]?\d+$/.test(text.trim())) throw invalidField('window_cron', text, 'Not a cron text');
  try {
    checkInterval(text);
  } catch (error) {
    throw invalidField('window_cron', text, error instanceof Error ? error.message : 'Not a cron text');
  }
  if (readCron(text).next(new Date()) === null) throw invalidField('window_cron', text, 'no time ever matches it');
  return text;
}

function flagField(body: JsonObject, name: string): boolean | null {
  const value = body[name] ?? null;
  if (value !== null && typeof value !== 'boolean') throw wrongType(name, value, 'bool');
  return value;
}

function wholeField(body: JsonObject, name: string): number | null {
  const value = body[name] ?? null;
  if (value === null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType(name, value, 'int');
  if (value < 1 || value > maxWhole) throw invalidField(name, value, `Value should be from 1 to ${maxWhole}`);
  return value;
}
