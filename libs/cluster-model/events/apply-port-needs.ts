import type { ComputeSnapshot, InstanceInfo, PortNeed } from '../compute-snapshot.ts';

/**
 * Gives instances the needs of their network ports. Pure: the given snapshot stays unchanged.
 * @param needs by the uuid of an instance, undefined where no port restricts it. Unknown instances are left out.
 * @returns the same snapshot when nothing changes.
 */
export function applyPortNeeds(
  snapshot: ComputeSnapshot,
  needs: ReadonlyMap<string, PortNeed | undefined>,
): ComputeSnapshot {
  const isChanged = ({ uuid, ports }: InstanceInfo) => needs.has(uuid) && needs.get(uuid) !== ports;
  if (!snapshot.instanceInfo.some(isChanged)) return snapshot;
  const instanceInfo = snapshot.instanceInfo.map((info) => {
    if (!isChanged(info)) return info;
    const { ports: _former, ...rest } = info;
    const need = needs.get(info.uuid);
    return need === undefined ? rest : { ...rest, ports: need };
  });
  return { ...snapshot, instanceInfo };
}
