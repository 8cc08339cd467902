import type { AuditLogEntry } from '../../api/internal-types.ts';
import { wordsOf } from '../../texts/api-names.ts';
import { text } from '../../texts/texts.ts';
import { ruleKinds } from '../rules/rule-text.ts';

/** A field that a change set, with its values in words. */
export interface ChangedField {
  /** Path within the object, such as `instances.names`. */
  path: string;
  title: string;
  /** Null where the object or the field did not exist. */
  before: string | null;
  after: string | null;
}

type Values = ReadonlyMap<string, unknown>;

/** Fields that the server sets with every change. */
const ownFields = new Set(['uuid', 'created_at', 'updated_at']);

const titleKeys = {
  name: 'column.name',
  description: 'rules.description',
  kind: 'rules.policy',
  instances: 'column.instances',
  'instances.names': 'rules.names',
  'instances.uuids': 'rules.single',
  'instances.projects': 'rules.projects',
  'instances.flavors': 'rules.flavors',
  'instances.metadata': 'rules.metadata',
  hosts: 'column.hosts',
  'hosts.names': 'column.hosts',
  'hosts.aggregates': 'rules.aggregates',
  'hosts.zones': 'rules.zones',
  strict: 'rules.strict',
  max_per_host: 'rules.most',
  enabled: 'rules.enforced',
} as const;

/**
 * Fields whose values differ, in the order of the object. A created or deleted object has all fields that have a value.
 */
export function changedFields(changes: AuditLogEntry['changes']): ChangedField[] {
  const before = leavesOf(changes?.before);
  const after = leavesOf(changes?.after);
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths]
    .map((path) => ({ path, title: titleOf(path), before: wordOf(path, before), after: wordOf(path, after) }))
    .filter((field) => field.before !== field.after);
}

/** Values of an object that are no objects themselves, by their path. Lists count as values. */
function leavesOf(object: unknown, path = ''): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  for (const [name, value] of Object.entries(object ?? {})) {
    const own = path === '' ? name : `${path}.${name}`;
    if (ownFields.has(own)) continue;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) leaves.set(own, value);
    else for (const [inner, leaf] of leavesOf(value, own)) leaves.set(inner, leaf);
  }
  return leaves;
}

/** The title that the dialog of rules has. The keys of a map follow the title of the map. */
function titleOf(path: string): string {
  if (path in titleKeys) return text(titleKeys[path as keyof typeof titleKeys]);
  const parent = Object.keys(titleKeys).findLast((known) => path.startsWith(`${known}.`));
  if (parent === undefined) return wordsOf(path);
  return `${text(titleKeys[parent as keyof typeof titleKeys])} › ${path.slice(parent.length + 1)}`;
}

function wordOf(path: string, values: Values): string | null {
  const value = values.get(path) ?? null;
  if (value === null) return null;
  if (Array.isArray(value)) return value.length === 0 ? text('common.none') : value.map(String).join(', ');
  if (typeof value === 'boolean') return text(value ? 'common.yes' : 'common.no');
  const kind = path === 'kind' ? ruleKinds.find((known) => known === value) : undefined;
  return kind ? text(`rules.kind.${kind}`) : String(value);
}
