import { type JsonObject, type JsonValue, messageOf, type NotificationKind } from '#libs/domain';
import {
  type AllowedHosts,
  readTargetUrl,
  requireFormat,
  requireKind,
  requireSigningSecret,
} from '#libs/notification-targets';
import type { NotificationTarget, TargetFields, TargetSecrets } from '#libs/store';
import { badRequest, invalidField } from '../http/faults/fault.ts';
import { arrayField, refuseUnknownOptions, textField, wrongType } from '../http/watcher-text/body-fields.ts';

const argument = 'notification_target';
const known = ['name', 'url', 'format', 'kinds', 'enabled', 'secret', 'bearer_token'];
const maxName = 255;
const maxKinds = 20;
const bearerPattern = /^[\x21-\x7e]{1,2000}$/;

/** A target as a client gives it: fields that lists show, and secrets, which stay when they are absent. */
export interface GivenTarget {
  fields: TargetFields;
  secrets: Partial<TargetSecrets>;
}

/**
 * Reads a target. `former` supplies fields that a change omits.
 * @throws ApiFault 400 that names the field, the reason and, for a misspelt word, the nearest valid one. It repeats no
 * secret.
 */
export function readTarget(body: JsonObject, former: NotificationTarget | null, allowed: AllowedHosts): GivenTarget {
  refuseUnknownOptions(body, known, argument);
  const format = checked(body, 'format', requireFormat) ?? former?.format ?? 'json';
  const given = secretText(body, 'url');
  if (given === null && former === null) throw invalidField('url', null, 'Mandatory field missing.');
  // The API does not read stored URLs, and each format has its own rules for them.
  if (given === null && format !== former?.format)
    throw invalidField('format', format, 'Another format needs the url again.');
  const address = given === null ? null : hidden('url', () => readTargetUrl(given, format, allowed));
  const secret = secretText(body, 'secret');
  const bearer = bearerField(body);
  return {
    fields: {
      name: nameField(body) ?? former?.name ?? missingName(),
      shownUrl: address?.shownUrl ?? former?.shownUrl ?? '',
      format,
      kinds: kindsField(body, former),
      enabled: enabledField(body) ?? former?.enabled ?? true,
    },
    secrets: {
      ...(address === null ? {} : { url: address.url }),
      ...(secret === null ? {} : { secret: hidden('secret', () => requireSigningSecret(secret)) }),
      ...(bearer === undefined ? {} : { bearerToken: bearer }),
    },
  };
}

function nameField(body: JsonObject): string | null {
  const name = textField(body, 'name');
  if (name === null) return null;
  const trimmed = name.trim();
  if (trimmed === '') throw invalidField('name', name, 'Mandatory field missing.');
  if (trimmed.length > maxName) throw invalidField('name', trimmed.slice(0, 80), `At most ${maxName} characters.`);
  if (/\p{C}/u.test(trimmed)) throw invalidField('name', name, 'Must not have control characters.');
  return trimmed;
}

function missingName(): never {
  throw invalidField('name', null, 'Mandatory field missing.');
}

/** Null and absence differ: null means all kinds. */
function kindsField(body: JsonObject, former: NotificationTarget | null): NotificationKind[] | null {
  if (body.kinds === undefined) return former?.kinds ?? null;
  const given = arrayField(body, 'kinds');
  if (given === null) return null;
  if (given.length === 0 || given.length > maxKinds) {
    throw invalidField('kinds', given.slice(0, maxKinds), `1 to ${maxKinds} kinds are expected, or null for all.`);
  }
  return [...new Set(given.map((kind) => named('kinds', kind, () => requireKind(kind))))];
}

function enabledField(body: JsonObject): boolean | null {
  const value = body.enabled ?? null;
  if (value === null || typeof value === 'boolean') return value;
  throw wrongType('enabled', value, 'bool');
}

/** Null removes the token, absence keeps it. */
function bearerField(body: JsonObject): string | null | undefined {
  if (body.bearer_token === undefined) return undefined;
  const token = secretText(body, 'bearer_token');
  if (token !== null && !bearerPattern.test(token))
    throw hiddenFault('bearer_token', 'At most 2000 printable characters of ASCII without spaces are expected.');
  return token;
}

function checked<T>(body: JsonObject, field: string, read: (text: string) => T): T | null {
  const text = textField(body, field);
  return text === null ? null : named(field, text, () => read(text));
}

function named<T>(field: string, value: JsonValue, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw invalidField(field, value, messageOf(error));
  }
}

function secretText(body: JsonObject, field: string): string | null {
  const value = body[field] ?? null;
  if (value === null || typeof value === 'string') return value;
  throw hiddenFault(field, 'A text is expected.');
}

function hidden<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw hiddenFault(field, messageOf(error));
  }
}

/** As `invalidField`, without the value. */
function hiddenFault(field: string, detail: string) {
  return badRequest(`Invalid input for field/attribute ${field}. ${detail}`);
}
