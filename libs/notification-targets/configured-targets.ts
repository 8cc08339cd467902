import {
  ConfigurationError,
  chosenKinds,
  type JsonObject,
  messageOf,
  type NotificationFormat,
  type NotificationKind,
  nearestQuestion,
  notificationFormats,
} from '#libs/domain';
import type { AllowedHosts } from './address-rules.ts';
import { requireSigningSecret } from './sign-body.ts';
import { readTargetUrl } from './target-url.ts';

/** A target from `VIGIL_NOTIFICATION_TARGETS`. */
export interface ConfiguredTarget {
  name: string;
  url: string;
  shownUrl: string;
  format: NotificationFormat;
  /** Null: all. */
  kinds: NotificationKind[] | null;
  secret: string;
  bearerToken: string | null;
}

/** Targets at most, of the API and of the configuration together. */
export const maxTargets = 100;
const maxName = 255;
const fields = ['name', 'url', 'format', 'kinds', 'secret', 'bearer_token'];

/**
 * Reads `VIGIL_NOTIFICATION_TARGETS`, a JSON list of targets. An absent text is none.
 * @throws ConfigurationError with the reason, which never repeats a value that may be secret
 */
export function parseConfiguredTargets(text: string | undefined, allowed: AllowedHosts): ConfiguredTarget[] {
  if (text === undefined) return [];
  const list = readList(text);
  if (list.length > maxTargets) throw faultOf(`may list ${maxTargets} targets at most`);
  const targets = list.map((entry, index) => {
    try {
      return readTarget(entry, allowed);
    } catch (error) {
      throw faultOf(`is invalid at target ${index + 1}: ${messageOf(error)}`);
    }
  });
  const twice = targets.find(({ name }, index) => targets.findIndex((other) => other.name === name) !== index);
  if (twice) throw faultOf(`names two targets ${twice.name}`);
  return targets;
}

function readList(text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // The reason of the parser repeats a part of the text.
  }
  throw faultOf('must be a JSON list of targets');
}

function faultOf(reason: string): ConfigurationError {
  return new ConfigurationError([`VIGIL_NOTIFICATION_TARGETS ${reason}`]);
}

function readTarget(entry: unknown, allowed: AllowedHosts): ConfiguredTarget {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) throw new Error('must be an object');
  const given = entry as JsonObject;
  const unknown = Object.keys(given).find((field) => !fields.includes(field));
  if (unknown !== undefined) throw new Error(`the field ${unknown} is unknown.${nearestQuestion(unknown, fields)}`);
  const text = (field: string): string | null => {
    const value = given[field] ?? null;
    if (value === null || typeof value === 'string') return value;
    throw new Error(`${field} must be a text`);
  };
  const required = (field: string): string => {
    const value = text(field)?.trim();
    if (value) return value;
    throw new Error(`${field} is missing`);
  };
  const name = required('name');
  if (name.length > maxName) throw new Error(`name has more than ${maxName} characters`);
  const format = requireFormat(text('format') ?? 'json');
  const named = <T>(field: string, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw new Error(`${field}: ${messageOf(error)}`, { cause: error });
    }
  };
  return {
    name,
    format,
    ...named('url', () => readTargetUrl(required('url'), format, allowed)),
    kinds: kindsOf(given.kinds),
    secret: named('secret', () => requireSigningSecret(required('secret'))),
    bearerToken: text('bearer_token'),
  };
}

function kindsOf(given: unknown): NotificationKind[] | null {
  if (given === undefined || given === null) return null;
  if (!Array.isArray(given) || given.length === 0) throw new Error('kinds must be a list of kinds of events');
  return given.map(requireKind);
}

/** @throws Error with the valid kinds and the nearest one */
export function requireKind(given: unknown): NotificationKind {
  const kind = chosenKinds.find((one) => one === given);
  if (kind !== undefined) return kind;
  throw new Error(`Must be one of ${chosenKinds.join(', ')}.${nearestQuestion(String(given), chosenKinds)}`);
}

/** @throws Error with the valid formats and the nearest one */
export function requireFormat(given: string): NotificationFormat {
  const format = notificationFormats.find((one) => one === given);
  if (format !== undefined) return format;
  throw new Error(`Must be one of ${notificationFormats.join(', ')}.${nearestQuestion(given, notificationFormats)}`);
}
