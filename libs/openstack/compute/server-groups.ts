import type { CloudCallOptions } from '../call-options.ts';
import type { FieldReader } from '../http/field-reader.ts';
import { defaultPageSize } from '../service/paged-list.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { ServerGroup } from './types.ts';

/** From 2.64 on, a group has one policy with rules. Older versions have a list with one policy. */
const versions = { min: '2.53', max: '2.64' };

const policies = ['affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity'] as const;

/**
 * The server groups of all projects. Nova pages them by offset and may return short pages, so reading ends at the
 * first page without a new group. Groups with a policy that Nova no longer knows are left out.
 */
export async function listServerGroups(client: ServiceClient, options?: CloudCallOptions): Promise<ServerGroup[]> {
  const found = new Map<string, ServerGroup | null>();
  for (let offset = 0; ; ) {
    const query = { all_projects: 'True', limit: String(defaultPageSize), offset: String(offset) };
    const response = await client.read({ method: 'GET', path: '/os-server-groups', query, versions, options });
    const page = response.list('server_groups');
    const before = found.size;
    for (const fields of page) found.set(fields.text('id'), parseServerGroup(fields));
    offset += page.length;
    if (found.size === before) return [...found.values()].filter((group) => group !== null);
  }
}

function parseServerGroup(fields: FieldReader): ServerGroup | null {
  const name = fields.optionalText('policy') ?? fields.texts('policies')[0];
  const policy = policies.find((candidate) => candidate === name);
  if (policy === undefined) return null;
  return {
    uuid: fields.text('id'),
    name: fields.text('name'),
    policy,
    members: fields.texts('members'),
    maxServerPerHost: fields.optionalObject('rules')?.numberOr('max_server_per_host', 1) ?? 1,
  };
}
