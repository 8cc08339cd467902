import { setTimeout as sleep } from 'node:timers/promises';
import type { Migration, Server } from '#libs/openstack';
import type { BootedServers, Cloudy } from './boot-servers.ts';
import type { Peculiarity } from './server-kinds.ts';

/** Longest wait for the end of one migration, in milliseconds. */
const patienceMs = 120_000;
/** Servers of a kind that are moved. */
const perKind = 2;

/** A live migration that breaks a rule of Nova, without Vigil. */
export interface HandMove {
  kind: string;
  server: string;
  to: string;
  /** How Nova refused it. Null: Nova accepted it and moved the server. */
  refusal: string | null;
}

interface Found {
  servers: ReadonlyMap<string, Server>;
  /** Address by host. */
  addresses: ReadonlyMap<string, string>;
  /** Members of each server group, by its id. */
  members: ReadonlyMap<string, readonly string[]>;
}

/**
 * Requests forbidden live migrations of up to two servers of each kind, to show that the cloud refuses them. Kinds
 * without a forbidden host, such as plain and locked ones, are left out.
 */
export async function moveByHand(
  target: Cloudy,
  { kinds, peculiarities, policies }: BootedServers,
): Promise<HandMove[]> {
  const found = await readCloud(target);
  const counts = new Map<string, number>();
  const moves: HandMove[] = [];
  for (const [uuid, kind] of kinds) {
    const server = found.servers.get(uuid);
    if (server?.host == null || (counts.get(kind) ?? 0) >= perKind) continue;
    const [to] = forbiddenHosts(server, peculiarities.get(uuid) ?? {}, { ...found, policies });
    if (to === undefined) continue;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    moves.push({ kind, server: server.name, to, refusal: await refusalOfMove(target, server, to) });
    target.onProgress(`by hand: ${kind} to ${to}: ${moves.at(-1)?.refusal ?? 'ACCEPTED'}`);
  }
  return moves;
}

async function readCloud({ cloud, raw }: Cloudy): Promise<Found> {
  const [servers, groups, details] = await Promise.all([
    cloud.compute.listServers({}),
    cloud.compute.listServerGroups(),
    raw({ service: 'compute', path: '/os-hypervisors/detail', microversion: '2.104' }),
  ]);
  const { hypervisors } = details.body as { hypervisors: { service: { host: string }; host_ip: string }[] };
  return {
    servers: new Map(servers.map((server) => [server.uuid, server])),
    addresses: new Map(hypervisors.map(({ service, host_ip }) => [service.host, host_ip])),
    members: new Map(groups.map(({ uuid, members }) => [uuid, members])),
  };
}

/** Hosts to which the rule of a server forbids a move, by Nova's documentation of its filters. Never its own host. */
function forbiddenHosts(
  server: Server,
  { hints = {}, extraSpecs = {}, afterwards }: Peculiarity,
  { servers, addresses, members, policies }: Found & { policies: BootedServers['policies'] },
): string[] {
  const hosts = [...addresses.keys()].filter((host) => host !== server.host).sort();
  const hostOf = (uuid: unknown) => servers.get(String(uuid))?.host;
  if (afterwards?.status === 'SHUTOFF' || afterwards?.status === 'SUSPENDED') return hosts;
  const capable = extraSpecs['capabilities:hypervisor_hostname']?.replaceAll('<or>', ' ').split(/\s+/);
  if (capable) return hosts.filter((host) => !capable.includes(host));
  if (hints.different_host)
    return hosts.filter((host) => (hints.different_host as string[]).map(hostOf).includes(host));
  if (hints.same_host) return hosts.filter((host) => host !== hostOf(hints.same_host));
  if (hints.query) {
    const [, , ...named] = JSON.parse(hints.query as string) as string[];
    return hosts.filter((host) => !named.includes(host));
  }
  if (hints.cidr === '/32') return hosts.filter((host) => addresses.get(host) !== hints.build_near_host_ip);
  if (typeof hints.group !== 'string') return [];
  const others = (members.get(hints.group) ?? []).filter((uuid) => uuid !== server.uuid).map(hostOf);
  if (policies.get(hints.group) === 'anti-affinity') return hosts.filter((host) => others.includes(host));
  return policies.get(hints.group) === 'affinity' && others.length > 0
    ? hosts.filter((host) => !others.includes(host))
    : [];
}

/** Nova refuses immediately, or accepts the request and records the migration as failed. */
async function refusalOfMove({ cloud, raw }: Cloudy, { uuid, host }: Server, to: string): Promise<string | null> {
  const known = new Set((await cloud.compute.listMigrations({ serverUuid: uuid })).map((migration) => migration.uuid));
  const body = { 'os-migrateLive': { host: to, block_migration: 'auto' } };
  const path = `/servers/${uuid}/action`;
  const response = await raw({ service: 'compute', method: 'POST', path, body, microversion: '2.104' });
  if (response.status >= 400) return `${response.status} ${JSON.stringify(response.body)}`;
  const end = Date.now() + patienceMs;
  for (;;) {
    const server = (await cloud.compute.listServers({})).find((one) => one.uuid === uuid);
    const record = (await cloud.compute.listMigrations({ serverUuid: uuid })).find((one) => !known.has(one.uuid));
    if (record && isEnded(record) && server?.taskState == null) {
      return server?.host === host ? `${response.status}, and the migration ends as ${record.status}` : null;
    }
    if (Date.now() > end) throw new Error(`the migration of ${uuid} to ${to} has not ended`);
    await sleep(1000);
  }
}

const isEnded = ({ status }: Migration) => ['error', 'failed', 'completed', 'done', 'cancelled'].includes(status);
