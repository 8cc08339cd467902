import { createHash } from 'node:crypto';
import type { WorldFile } from './world-file.ts';

/** A uuid (version 5 layout) that depends on `text` only, so that a world has the same ids at every start. */
export function derivedUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}

/** The same world. Hosts, servers, groups, volumes and nodes without a uuid have the one of the simulated cloud. */
export function withIds(world: WorldFile): WorldFile {
  const named = <Item extends { uuid?: string; name: string }>(kind: string, list: readonly Item[] | undefined) =>
    list?.map((item) => (item.uuid ? item : { ...item, uuid: derivedUuid(`${world.name}/${kind}/${item.name}`) }));
  return {
    ...world,
    hosts: world.hosts.map((host) =>
      host.uuid ? host : { ...host, uuid: derivedUuid(`${world.name}/host/${host.hostname}`) },
    ),
    servers: named('server', world.servers) ?? [],
    server_groups: named('group', world.server_groups),
    volumes: named('volume', world.volumes),
    baremetal_nodes: named('node', world.baremetal_nodes),
  };
}
