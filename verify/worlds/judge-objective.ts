import type { ObjectiveTerm } from '#libs/domain';
import type { Server } from '#libs/openstack';
import type { Amounts, CrookedWorld } from '#libs/random-worlds';
import { createNovaJudge, type NovaJudge, ownAmountsOf } from '#libs/random-worlds';
import type { AuditContext } from './audit-context.ts';
import { usedOn } from './judge-numbers.ts';
import { servingHosts } from './judge-reserve.ts';
import type { Played } from './play-plan.ts';
import type { Audited } from './run-audit.ts';

/** Selects the servers that a licence covers, by the text of the parameter. */
function licensedBy(conditions: readonly string[]): (server: Server) => boolean {
  const parsed = conditions.map((text) => {
    const [key = '', pattern = ''] = text.split(/=(.*)/);
    return { key, fits: new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 'i') };
  });
  return ({ imageProperties = {}, flavor, metadata }) =>
    parsed.some(({ key, fits }) => {
      const value = imageProperties[key] ?? flavor.extraSpecs[key] ?? metadata[key];
      return value !== undefined && fits.test(value);
    });
}

function licensedHosts({ servers }: CrookedWorld, { hosts }: AuditContext, conditions: readonly string[]): number {
  const isLicensed = licensedBy(conditions);
  return new Set(servers.flatMap((server) => (hosts.has(server.host ?? '') && isLicensed(server) ? server.host : [])))
    .size;
}

const rank = ({ VCPU = 0, PCPU = 0, MEMORY_MB = 0, DISK_GB = 0 }: Amounts) => [VCPU + PCPU, MEMORY_MB, DISK_GB, VCPU];

/**
 * Needs of the largest instance of a flavor. Other instances boot from volumes, or have other CPUs by their images. An
 * instance without a host counts, because it needs room when it is unshelved.
 */
function sizeOf(world: CrookedWorld, { hosts }: AuditContext, flavor: string): Amounts {
  let size: Amounts = {};
  for (const server of world.servers) {
    if (server.flavor.name !== flavor || (server.host !== null && !hosts.has(server.host))) continue;
    const amounts = ownAmountsOf(world, server);
    const [own, most] = [rank(amounts), rank(size)];
    const at = own.findIndex((amount, row) => amount !== most[row]);
    if (at >= 0 && (own[at] as number) > (most[at] as number)) size = amounts;
  }
  return Object.fromEntries(Object.entries(size).filter(([kind]) => !/^(CUSTOM_|VGPU$)/.test(kind)));
}

/** Places for a size on hosts that take instances. */
function placesFor(world: CrookedWorld, judge: NovaJudge, { hosts }: AuditContext, size: Amounts): number {
  const serving = [...servingHosts(world)].filter((host) => hosts.has(host));
  const hypervisors = new Map(world.hypervisors.map(({ serviceHost, uuid }) => [serviceHost, uuid]));
  return serving.reduce((sum, host) => {
    const [used, capacity] = [usedOn(world, judge, host), judge.capacity(host)];
    const inventory = world.inventories.get(hypervisors.get(host) ?? '') ?? {};
    const counts = Object.entries(size).map(([kind, need]) =>
      (inventory[kind]?.total ?? 0) < need ? 0 : ((capacity[kind] ?? 0) - (used[kind] ?? 0) + 1e-6) / need,
    );
    return sum + Math.max(0, Math.floor(Math.min(...counts)));
  }, 0);
}

const isOff = (one: number, other: number) => Math.abs(one - other) > 1e-6;

interface Judged {
  world: CrookedWorld;
  auditContext: AuditContext;
  audited: Audited;
  played: Played;
}

function wrongLicences({ before, after }: ObjectiveTerm, { world, auditContext, audited, played }: Judged): string[] {
  const count = (of: CrookedWorld) => licensedHosts(of, auditContext, audited.parameters.licensed as string[]);
  const [was, is] = [count(world), count(played.after)];
  return isOff(was, before) || isOff(is, after) ? [`from ${before} to ${after} instead of from ${was} to ${is}`] : [];
}

function wrongPlaces({ term, before, after }: ObjectiveTerm, { world, auditContext, played }: Judged): string[] {
  const size = sizeOf(world, auditContext, term.slice(placesTerm.length));
  const had = placesFor(world, createNovaJudge(world), auditContext, size);
  const gained = placesFor(played.after, played.judge, auditContext, size) - had;
  return isOff(before - after, gained) ? [`${before - after} places are gained, it says, and ${gained} are`] : [];
}

const placesTerm = 'missing_places:';

/** Returns errors in the objective's terms for operators. */
export function wrongObjective(judged: Judged): string[] {
  return (judged.audited.report.objective ?? []).flatMap((term) => {
    const isTooLow = term.bound !== null && term.bound > term.after + 1e-6;
    const wrong = [
      ...(isTooLow ? [`${term.after} is below its bound ${term.bound}`] : []),
      ...(term.term === 'licensed_hosts' ? wrongLicences(term, judged) : []),
      ...(term.term.startsWith(placesTerm) ? wrongPlaces(term, judged) : []),
    ];
    return wrong.map((what) => `${term.term}: ${what}`);
  });
}

/** CPUs in use on a host, by its measured servers. */
function loadOn(
  { servers, metrics }: CrookedWorld,
  host: string,
  metric: string,
  of: (server: Server) => number,
): number {
  return servers.reduce((sum, server) => {
    const value = metrics.get(metric)?.get(server.uuid) ?? 0;
    return server.host === host && Number.isFinite(value) ? sum + value * of(server) : sum;
  }, 0);
}

/**
 * Returns hosts whose load the plan raises above their hot limit, by measured load. Unmeasured load adds to it.
 * @param mayExceed whether a host may be above it. Default: none may
 */
export function heated(
  world: CrookedWorld,
  { parameters, hosts }: Audited,
  { after }: Played,
  mayExceed: (host: string) => boolean = () => false,
): string[] {
  const { hot_limit: given } = parameters;
  const limits =
    typeof given === 'number' ? { cpu: given } : { cpu: 80, ...(given as { cpu?: number; memory?: number }) };
  return hosts.hosts.flatMap(({ hostname, instancesIn }) => {
    if (instancesIn === 0) return [];
    const uuid = after.hypervisors.find(({ serviceHost }) => serviceHost === hostname)?.uuid ?? '';
    const { VCPU, PCPU, MEMORY_MB: memory } = after.inventories.get(uuid) ?? {};
    const cpus = (VCPU?.total ?? 0) + (PCPU?.total ?? 0);
    const loads: [string, (of: CrookedWorld) => number, number, number | undefined][] = [
      ['CPU', (of) => loadOn(of, hostname, 'instance_cpu_usage', ({ flavor }) => flavor.vcpus / 100), cpus, limits.cpu],
      ['memory', (of) => loadOn(of, hostname, 'instance_ram_usage', () => 1), memory?.total ?? 0, limits.memory],
    ];
    return loads.flatMap(([name, loadIn, size, limit]) => {
      const load = loadIn(after);
      const isAbove = limit !== undefined && 100 * load > size * limit + 1e-6;
      return isAbove && load > loadIn(world) + 1e-6 && !mayExceed(hostname)
        ? [`${hostname} is brought to ${((100 * load) / size).toFixed(1)} % of ${name}, and ${limit} are allowed`]
        : [];
    });
  });
}
