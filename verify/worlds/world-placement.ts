import type { PlacementPort } from '#libs/openstack';
import type { CrookedWorld } from '#libs/random-worlds';
import { providersOf } from '#libs/random-worlds';

/** The part of Placement that moves of instances with devices are judged by. */
export type WorldPlacement = Pick<PlacementPort, 'listResourceProviders' | 'hasCandidates'>;

/** A group of a query: amounts by class, traits and forbidden traits, and the host whose tree it names. */
interface Group {
  amounts: [string, number][];
  required: string[];
  host: string;
}

/** Placement of a crooked world: its providers, and `GET /allocation_candidates` with `in_tree`. */
export function worldPlacement(world: CrookedWorld): WorldPlacement {
  return {
    async listResourceProviders() {
      return world.hypervisors.map(({ uuid, hypervisorHostname }) => ({
        uuid,
        name: hypervisorHostname,
        generation: 1,
        parentUuid: null,
      }));
    },
    async hasCandidates(query) {
      return groupsOf(query).every((group) => isPossible(world, group));
    },
  };
}

function groupsOf(query: Readonly<Record<string, string>>): Group[] {
  return Object.entries(query).flatMap(([key, text]) => {
    const suffix = /^resources(.*)$/.exec(key)?.[1];
    if (suffix === undefined) return [];
    const amounts = text.split(',').map((pair): [string, number] => {
      const at = pair.lastIndexOf(':');
      return [pair.slice(0, at), Number(pair.slice(at + 1))];
    });
    const required = query[`required${suffix}`]?.split(',') ?? [];
    return [{ amounts, required, host: query[`in_tree${suffix}`] ?? '' }];
  });
}

/** Whether one provider of the tree has each class of the group, and the hypervisor has the traits. */
function isPossible(world: CrookedWorld, { amounts, required, host }: Group): boolean {
  const traits = world.traits.get(host) ?? [];
  const fits = required.every((trait) =>
    trait.startsWith('!') ? !traits.includes(trait.slice(1)) : traits.includes(trait),
  );
  return (
    fits &&
    amounts.every(([kind, amount]) => providersOf(world, host).some((uuid) => hasFree(world, uuid, kind, amount)))
  );
}

function hasFree({ inventories, allocations }: CrookedWorld, provider: string, kind: string, amount: number): boolean {
  const inventory = inventories.get(provider)?.[kind];
  if (inventory === undefined) return false;
  const { total, reserved, allocationRatio, minUnit, maxUnit, stepSize } = inventory;
  const held = [...(allocations.get(provider)?.values() ?? [])].reduce((sum, amounts) => sum + (amounts[kind] ?? 0), 0);
  const isUnit = amount >= minUnit && amount <= maxUnit && amount % stepSize === 0;
  return isUnit && held + amount <= (total - reserved) * allocationRatio;
}
