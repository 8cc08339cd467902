import type { Inventory, Resources, SimulatedHost } from './entities.ts';

/** Resource classes of a compute node. */
export const resourceClasses = ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB', 'VGPU'] as const;

interface HostAccount {
  used: Resources;
  consumers: Map<string, Resources>;
  generation: number;
}

/**
 * Placement's allocations. A consumer is a server uuid, or a migration uuid for the resources of a running migration.
 */
export interface AllocationLedger {
  /** Adds to the consumer's allocation on the host, without a check (see `fits`). */
  claim(consumer: string, host: SimulatedHost, resources: Resources): void;
  /** Removes the consumer's allocation on the host, if any. */
  release(consumer: string, host: SimulatedHost): void;
  /** Transfers one consumer's allocation on the host to another. */
  handOver(from: string, to: string, host: SimulatedHost): void;
  usage(host: SimulatedHost): Readonly<Resources>;
  consumersOf(host: SimulatedHost): ReadonlyMap<string, Readonly<Resources>>;
  /** Hosts with an allocation of the consumer. */
  hostsOf(consumer: string): ReadonlyMap<SimulatedHost, Readonly<Resources>>;
  generation(host: SimulatedHost): number;
  /** First resource class that does not fit (capacity = (total - reserved) x ratio, amount in the units), or null. */
  misfit(host: SimulatedHost, resources: Resources): keyof Resources | null;
}

/** Whether Placement admits this amount for one consumer. */
export function isWithinUnits({ minUnit, maxUnit, stepSize }: Inventory, amount: number): boolean {
  return amount >= minUnit && amount <= maxUnit && amount % stepSize === 0;
}

/** An empty ledger for the given hosts. */
export function createAllocationLedger(hosts: Iterable<SimulatedHost>): AllocationLedger {
  const accounts = new Map<SimulatedHost, HostAccount>();
  const byConsumer = new Map<string, Map<SimulatedHost, Resources>>();
  for (const host of hosts) {
    const used = { VCPU: 0, PCPU: 0, MEMORY_MB: 0, DISK_GB: 0, VGPU: 0 };
    accounts.set(host, { used, consumers: new Map(), generation: 1 });
  }

  function account(host: SimulatedHost): HostAccount {
    const found = accounts.get(host);
    if (found === undefined) throw new Error(`no account for host ${host.name}`);
    return found;
  }
  function add(target: Resources, amount: Resources, sign: 1 | -1): void {
    for (const name of resourceClasses) target[name] += sign * amount[name];
  }
  function release(consumer: string, host: SimulatedHost): void {
    const book = account(host);
    const held = book.consumers.get(consumer);
    if (held === undefined) return;
    add(book.used, held, -1);
    book.consumers.delete(consumer);
    book.generation++;
    const places = byConsumer.get(consumer);
    places?.delete(host);
    if (places?.size === 0) byConsumer.delete(consumer);
  }
  function claim(consumer: string, host: SimulatedHost, resources: Resources): void {
    const book = account(host);
    const held = book.consumers.get(consumer);
    const total = { ...resources };
    if (held !== undefined) add(total, held, 1);
    add(book.used, resources, 1);
    book.consumers.set(consumer, total);
    book.generation++;
    const places = byConsumer.get(consumer) ?? new Map<SimulatedHost, Resources>();
    places.set(host, total);
    byConsumer.set(consumer, places);
  }
  return {
    claim,
    release,
    handOver(from, to, host) {
      const held = account(host).consumers.get(from);
      if (held === undefined) return;
      release(from, host);
      claim(to, host, held);
    },
    usage: (host) => account(host).used,
    consumersOf: (host) => account(host).consumers,
    hostsOf: (consumer) => byConsumer.get(consumer) ?? new Map<SimulatedHost, Resources>(),
    generation: (host) => account(host).generation,
    misfit(host, resources) {
      const { used } = account(host);
      for (const name of resourceClasses) {
        const { total, reserved, allocationRatio } = host.inventory[name];
        const isOver = used[name] + resources[name] > (total - reserved) * allocationRatio;
        const isRefused = isOver || !isWithinUnits(host.inventory[name], resources[name]);
        if (resources[name] > 0 && isRefused) return name;
      }
      return null;
    },
  };
}
