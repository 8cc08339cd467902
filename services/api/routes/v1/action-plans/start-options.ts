import type { FastifyRequest } from 'fastify';
import { isTimeZone, readCron, timeZones } from '#libs/cron';
import {
  controlsOf,
  type JsonObject,
  nearestHint,
  type OnFailure,
  onFailurePolicies,
  type PlanControls,
  startControls,
} from '#libs/domain';
import { badRequest, invalidField } from '../../../http/faults/fault.ts';
import { readOptions, textField, wrongType } from '../../../http/watcher-text/body-fields.ts';
import { checkInterval } from '../../../http/watcher-text/interval.ts';
import { checkTimes, timeField } from '../../../http/watcher-text/timestamps.ts';

/** Options that the body of a start may set in addition to the state. */
export type StartOptions = Partial<Pick<PlanControls, keyof typeof startControls>>;

const maxWhole = 1_000_000;
const options = controlsOf(startControls);
const optionNames = options.map(({ name }) => name);

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
  const read = options.map(({ key, name, type }) => [key, readers[type](body, name)] as const);
  const given: StartOptions = Object.fromEntries(read.filter(([, value]) => value !== null));
  checkTimes(given.windowStart ?? null, given.windowEnd ?? null);
  if ((given.windowCron === undefined) !== (given.windowSeconds === undefined)) {
    throw badRequest('window_cron and window_seconds must be given together');
  }
  if (given.windowZone !== undefined && given.windowCron === undefined) {
    throw badRequest('window_zone needs window_cron');
  }
  return given;
}

/** Readers of a value, by the type of the option. Null when the body has none. */
const readers = {
  policy: policyField,
  flag: flagField,
  time: timeField,
  cron: cronField,
  zone: zoneField,
  whole: wholeField,
};

function policyField(body: JsonObject, name: string): OnFailure | null {
  const given = textField(body, name);
  if (given === null) return null;
  const known = onFailurePolicies.find((policy) => policy === given);
  if (!known) throw invalidField(name, given, `Value should be one of: ${onFailurePolicies.join(', ')}`);
  return known;
}

function cronField(body: JsonObject, name: string): string | null {
  const text = textField(body, name);
  if (text === null) return null;
  if (text.length > 100 || /^[+-]?\d+$/.test(text.trim())) throw invalidField(name, text, 'Not a cron expression');
  try {
    checkInterval(text);
  } catch (error) {
    throw invalidField(name, text, error instanceof Error ? error.message : 'Not a cron expression');
  }
  if (readCron(text).next(new Date()) === null) throw invalidField(name, text, 'no time ever matches it');
  return text;
}

function zoneField(body: JsonObject, name: string): string | null {
  const zone = textField(body, name);
  if (zone === null || isTimeZone(zone)) return zone;
  const hint = nearestHint(zone, timeZones(), ', such as Europe/Berlin');
  throw invalidField(name, zone.slice(0, 100), `It is not an IANA time zone${hint}`);
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
