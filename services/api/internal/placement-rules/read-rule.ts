import {
  type HostSelector,
  type InstanceSelector,
  type JsonObject,
  type JsonValue,
  nearestQuestion,
  type PlacementRule,
  type PlacementRuleKind,
  placementRuleKinds,
} from '#libs/domain';
import { requireUuid } from '../../collections/query-arguments.ts';
import { invalidField } from '../../http/faults/fault.ts';
import { objectField, refuseUnknownOptions, textField } from '../../http/watcher-text/body-fields.ts';

/** A rule as a client sends it. */
export type RuleFields = Pick<
  PlacementRule,
  'name' | 'description' | 'kind' | 'instances' | 'hosts' | 'isStrict' | 'maxPerHost' | 'enabled'
>;

const known = ['name', 'description', 'kind', 'instances', 'hosts', 'strict', 'max_per_host', 'enabled'];
const argument = 'placement_rule';
const maxEntries = 200;
const maxLength = 255;
const maxDescription = 4000;

/**
 * Reads a rule. `former` supplies fields that a change omits. A new rule gets defaults instead.
 * @throws ApiFault 400 that names the field, the reason and, for a misspelt word, the nearest valid one.
 */
export function readRule(body: JsonObject, former: RuleFields | null): RuleFields {
  refuseUnknownOptions(body, known, argument);
  const whole = former ? { ...bodyOf(former, body.kind), ...body } : body;
  const kind = kindField(whole);
  return {
    name: nameField(whole),
    description: descriptionField(whole),
    kind,
    instances: instancesField(whole),
    hosts: hostsField(whole, kind),
    isStrict: strictField(whole, kind),
    maxPerHost: maxPerHostField(whole, kind),
    enabled: flagField(whole, 'enabled', true),
  };
}

/** The part that a change keeps. Another kind needs new hosts, strictness and numbers. */
function bodyOf(rule: RuleFields, newKind: JsonValue | undefined): JsonObject {
  const { name, description, kind, instances, enabled } = rule;
  const always = { name, description, kind, instances: { ...instances }, enabled };
  if (newKind !== undefined && newKind !== kind) return always;
  return {
    ...always,
    hosts: rule.hosts ? { ...rule.hosts } : null,
    strict: rule.isStrict,
    max_per_host: rule.maxPerHost,
  };
}

function nameField(body: JsonObject): string {
  const name = textField(body, 'name')?.trim() ?? '';
  if (name === '') throw invalidField('name', body.name, 'Mandatory field missing.');
  if (name.length > maxLength) throw invalidField('name', name, `At most ${maxLength} characters.`);
  return name;
}

function descriptionField(body: JsonObject): string | null {
  const text = textField(body, 'description');
  if (text === null || text.length <= maxDescription) return text;
  throw invalidField('description', `${text.slice(0, 80)}…`, `At most ${maxDescription} characters.`);
}

function kindField(body: JsonObject): PlacementRuleKind {
  const given = textField(body, 'kind');
  if (given === null) throw invalidField('kind', null, 'Mandatory field missing.');
  const kind = placementRuleKinds.find((one) => one === given);
  if (kind) return kind;
  const hint = nearestQuestion(given, placementRuleKinds);
  throw invalidField('kind', given, `Must be one of ${placementRuleKinds.join(', ')}.${hint}`);
}

function instancesField(body: JsonObject): InstanceSelector {
  const given = objectField(body, 'instances');
  if (!given) throw invalidField('instances', null, 'Mandatory field missing.');
  refuseUnknownOptions(given, ['uuids', 'names', 'metadata', 'projects', 'flavors'], 'instances');
  const metadata = metadataField(given);
  const selector = {
    ...uuidsField(given),
    ...listField(given, 'instances', 'names'),
    ...listField(given, 'instances', 'projects'),
    ...listField(given, 'instances', 'flavors'),
    ...(metadata ? { metadata } : {}),
  };
  if (Object.keys(selector).length > 0) return selector;
  throw invalidField('instances', given, 'At least one of uuids, names, metadata, projects and flavors must be given.');
}

function uuidsField(given: JsonObject): { uuids?: string[] } {
  const { uuids } = listField(given, 'instances', 'uuids');
  return uuids === undefined ? {} : { uuids: uuids.map((uuid) => requireUuid('instances.uuids', uuid)) };
}

function metadataField(given: JsonObject): Record<string, string> | null {
  const entries = Object.entries(objectField(given, 'metadata') ?? {});
  const field = 'instances.metadata';
  if (entries.length > maxEntries) throw invalidField(field, entries.length, `At most ${maxEntries} entries.`);
  for (const [key, value] of entries) {
    if (key.length > maxLength)
      throw invalidField(field, key.slice(0, 80), `At most ${maxLength} characters in a key.`);
    textEntry(value, `${field}.${key}`);
  }
  return entries.length === 0 ? null : (Object.fromEntries(entries) as Record<string, string>);
}

function hostsField(body: JsonObject, kind: PlacementRuleKind): HostSelector | null {
  const given = objectField(body, 'hosts');
  const isAboutHosts = kind === 'prefer_hosts' || kind === 'avoid_hosts';
  if (!isAboutHosts) {
    if (given) throw invalidField('hosts', given, `A rule of kind ${kind} names no hosts.`);
    return null;
  }
  if (!given) throw invalidField('hosts', null, `A rule of kind ${kind} must name hosts.`);
  refuseUnknownOptions(given, ['names', 'aggregates', 'zones'], 'hosts');
  const selector = {
    ...listField(given, 'hosts', 'names'),
    ...listField(given, 'hosts', 'aggregates'),
    ...listField(given, 'hosts', 'zones'),
  };
  if (Object.keys(selector).length > 0) return selector;
  throw invalidField('hosts', given, 'At least one of names, aggregates and zones must be given.');
}

function strictField(body: JsonObject, kind: PlacementRuleKind): boolean {
  const strict = flagField(body, 'strict', kind !== 'prefer_hosts');
  if (kind === 'leave_alone' && !strict) throw invalidField('strict', false, 'A rule of kind leave_alone is strict.');
  return strict;
}

function maxPerHostField(body: JsonObject, kind: PlacementRuleKind): number | null {
  const given = body.max_per_host ?? null;
  if (kind === 'keep_apart') {
    if (given === null) return 1;
    if (typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= 1_000_000) return given;
    throw invalidField('max_per_host', given, 'Must be a whole number between 1 and 1000000.');
  }
  if (given === null) return null;
  throw invalidField('max_per_host', given, `A rule of kind ${kind} has none.`);
}

function flagField(body: JsonObject, name: string, otherwise: boolean): boolean {
  const given = body[name] ?? otherwise;
  if (typeof given === 'boolean') return given;
  throw invalidField(name, given, 'Must be true or false.');
}

/** A list of texts as the field of a selector. Nothing when it is absent or empty. */
function listField<Name extends string>(given: JsonObject, of: string, name: Name): { [key in Name]?: string[] } {
  const list = given[name] ?? [];
  const field = `${of}.${name}`;
  if (!Array.isArray(list)) throw invalidField(field, list, 'Must be a list of texts.');
  if (list.length > maxEntries) throw invalidField(field, list.length, `At most ${maxEntries} entries.`);
  const texts = list.map((entry) => textEntry(entry, field));
  return texts.length === 0 ? {} : ({ [name]: texts } as { [key in Name]?: string[] });
}

function textEntry(value: JsonValue, field: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= maxLength) return value;
  throw invalidField(field, value, `Must be a text of 1 to ${maxLength} characters.`);
}
