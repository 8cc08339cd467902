import type { CollectionEntries, VigilClient } from '#libs/client';

/** Kinds of values that completion requests from the API. */
export const valueKinds = [
  'goals',
  'strategies',
  'scoring_engines',
  'audit_templates',
  'audits',
  'action_plans',
  'actions',
  'services',
  'tasks',
  'task_names',
  'rules',
  'dead_letters',
  'hosts',
  'instances',
  'flavors',
] as const;

/** One of `valueKinds`. */
export type ValueKind = (typeof valueKinds)[number];

/** Whether completion knows this kind. */
export function isValueKind(word: string | undefined): word is ValueKind {
  return valueKinds.some((kind) => kind === word);
}

/** Maximum number of values. The newest, for kinds with an age. */
const most = 200;

const newestFirst: readonly (keyof CollectionEntries)[] = ['audits', 'action_plans', 'actions'];

/** Names, or uuids of entities whose names are not one shell word. */
export async function readValues(client: VigilClient, kind: ValueKind): Promise<string[]> {
  switch (kind) {
    case 'services': {
      const { services } = await client.internal<{ services: { name: string; host: string }[] }>('GET', '/services');
      return services.map(({ name, host }) => `${name}@${host}`);
    }
    case 'tasks':
      return (await client.internal<{ tasks: { uuid: string }[] }>('GET', '/tasks')).tasks.map(({ uuid }) => uuid);
    case 'task_names':
      return (await client.internal<{ kinds: { name: string }[] }>('GET', '/tasks/catalogue')).kinds.map(nameOf);
    case 'rules':
      return (await client.internal<{ placement_rules: NamedEntry[] }>('GET', '/placement-rules')).placement_rules.map(
        nameOf,
      );
    case 'dead_letters':
      return (await client.internal<{ dead_letters: { id: string }[] }>('GET', '/dead-letters')).dead_letters.map(
        ({ id }) => id,
      );
    case 'hosts':
    case 'instances':
    case 'flavors': {
      const path = `/cluster/find?kinds=${kind.slice(0, -1)}&limit=100`;
      return (await client.internal<{ found: { id: string }[] }>('GET', path)).found.map(({ id }) => id);
    }
    default:
      return (await client.list(kind, listOptions(kind))).map(nameOf);
  }
}

interface NamedEntry {
  uuid?: string;
  name?: string | null;
}

function listOptions(kind: keyof CollectionEntries): Parameters<VigilClient['list']>[1] {
  return newestFirst.includes(kind) ? { limit: most, sortKey: 'created_at', sortDir: 'desc' } : { limit: most };
}

function nameOf({ uuid = '', name }: NamedEntry): string {
  return name && /^[\w.@:+-]+$/.test(name) ? name : uuid;
}
