import type { ActionContext, PreConditionResult } from '#libs/plugin-kit';
import { readForCheck } from '../read-for-check.ts';
import type { MigrateInput } from './migration-trace.ts';

/**
 * Whether Placement has room for the instance on its destination host. Nova decides about facts that Placement does
 * not report, and about the choice of a host.
 */
export async function hasRoom(context: ActionContext<MigrateInput>): Promise<PreConditionResult> {
  const { destination_node: destination, source_node: source, resource_id: id } = context.input;
  if (!destination) return { go: true };
  const needed = await allocationOf(context, source, id);
  const provider = await providerOf(context, destination);
  if (!needed || provider === null) return { go: true };
  const { placement } = context.cloud;
  const inventories = await readForCheck(() => placement.getInventories(provider));
  const used = totalOf((await readForCheck(() => placement.getAllocations(provider)))?.values() ?? []);
  for (const [name, amount] of Object.entries(needed)) {
    const inventory = inventories?.[name];
    if (!inventory) continue;
    const free = (inventory.total - inventory.reserved) * inventory.allocationRatio - (used[name] ?? 0);
    if (amount <= free) continue;
    const skip = `Destination node ${destination} has no room for instance ${id} (${name}: ${amount} needed, ${free} free)`;
    return { go: false, skip };
  }
  return { go: true };
}

async function allocationOf(context: ActionContext<MigrateInput>, host: string, serverUuid: string) {
  const provider = await providerOf(context, host);
  if (provider === null) return undefined;
  return (await readForCheck(() => context.cloud.placement.getAllocations(provider)))?.get(serverUuid);
}

/** Nova's compute nodes are resource providers with the same uuid. */
async function providerOf(context: ActionContext<MigrateInput>, host: string): Promise<string | null> {
  const hypervisor = await readForCheck(() => context.cloud.compute.findHypervisorByServiceHost(host));
  return hypervisor?.uuid ?? null;
}

function totalOf(allocations: Iterable<Record<string, number>>): Record<string, number> {
  const total: Record<string, number> = {};
  for (const allocation of allocations) {
    for (const [name, amount] of Object.entries(allocation)) total[name] = (total[name] ?? 0) + amount;
  }
  return total;
}
