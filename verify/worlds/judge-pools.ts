import type { StoragePool } from '#libs/openstack';
import type { CrookedWorld } from '#libs/random-worlds';
import type { Played } from './play-plan.ts';
import type { Audited } from './run-audit.ts';

function usedShare({ totalCapacityGb, freeCapacityGb }: StoragePool): number {
  return 1 - (freeCapacityGb ?? 0) / (totalCapacityGb ?? 0);
}

function deviation({ storage }: CrookedWorld): number {
  const shares = storage.pools.map(usedShare);
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length);
}

const isFull = ({ totalCapacityGb, freeCapacityGb }: StoragePool, percent: number) =>
  ((totalCapacityGb ?? 0) - (freeCapacityGb ?? 0)) * 100 >= (totalCapacityGb ?? 0) * percent;

/** Returns volumes that leave a pool below its limit, and pools that become too full. */
function needless(world: CrookedWorld, { actions }: Audited, { after }: Played, percent: number): string[] {
  const poolOf = new Map(world.storage.volumes.map(({ uuid, host }) => [uuid, host]));
  const full = (of: CrookedWorld) =>
    new Set(of.storage.pools.flatMap((pool) => (isFull(pool, percent) ? pool.name : [])));
  const [before, then] = [full(world), full(after)];
  const left = new Set(actions.map(({ inputParameters }) => poolOf.get(String(inputParameters.resource_id)) ?? ''));
  return [
    ...[...left].filter((name) => !before.has(name)).map((name) => `${name} is relieved although it is not too full`),
    ...[...then].filter((name) => !before.has(name)).map((name) => `${name} becomes too full`),
  ];
}

/**
 * Returns faults in a plan that relieves pools. The deviation of their used shares may rise if the report says so,
 * because the operator set the threshold.
 */
export function wrongPools(world: CrookedWorld, audited: Audited, played: Played): string[] {
  if (audited.manifest.name !== 'storage_capacity_balance') return [];
  const { indicators, parameters, report, actions } = audited;
  const { standard_deviation_before_audit: before = 0, standard_deviation_after_audit: after = 0 } = indicators;
  const isReported = report.notes.some((note) => /deviation .* rises/.test(note));
  const wrong =
    after > before + 1e-9 && !isReported ? [`the deviation rises from ${before} to ${after}, unreported`] : [];
  // Cinder chooses among the pools of the new type.
  if (actions.some(({ inputParameters }) => inputParameters.destination_type !== undefined)) return wrong;
  const [was, is] = [deviation(world), deviation(played.after)];
  if (Math.abs(was - before) > 1e-9 || Math.abs(is - after) > 1e-9)
    wrong.push(`the deviation goes from ${before} to ${after}, it says, and from ${was} to ${is}`);
  return [...wrong, ...needless(world, audited, played, Number(parameters.volume_threshold))];
}
