import type { SourceTables } from './read-dump.ts';

/** Names of compute nodes by uuid, from actions that disable or enable a node and contain both. */
export type NodeNames = ReadonlyMap<string, string>;

/**
 * Collects them from the actions of all plans. Actions that are not JSON objects fail later, when their rows are
 * copied.
 */
export function readNodeNames(tables: SourceTables): NodeNames {
  const names = new Map<string, string>();
  for (const { action_type: type, input_parameters: parameters } of tables.get('actions') ?? []) {
    if (type !== 'change_nova_service_state') continue;
    const { resource_id: uuid, resource_name: name } = objectOf(parameters ?? '');
    if (typeof uuid === 'string' && typeof name === 'string') names.set(uuid, name);
  }
  return names;
}

/**
 * The parameters of an action as JSON text, with both hosts of a migration by name. Strategy host_maintenance of
 * Watcher up to 9 uses the uuids of the nodes. Unlike Watcher, Vigil compares the source with the host of the
 * instance.
 */
export function withNodeNames(type: string, parameters: string, names: NodeNames): string {
  if (type !== 'migrate') return parameters;
  const given = objectOf(parameters);
  const named = Object.entries(given).map(([key, value]) => [
    key,
    isNode(key) ? (names.get(String(value)) ?? value) : value,
  ]);
  return JSON.stringify(Object.fromEntries(named));
}

function isNode(key: string): boolean {
  return key === 'source_node' || key === 'destination_node';
}

function objectOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
