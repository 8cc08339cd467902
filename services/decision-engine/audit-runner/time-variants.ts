import { type ComputeSnapshot, conditionOf } from '#libs/cluster-model';
import { type AuditVariants, type CurvePoint, usualWay } from '#libs/domain';
import { fitKinds, type TimedSample } from '#libs/durations';

/**
 * The curve of plans of several sizes, with the duration of their migrations one after the other: the sum of the
 * medians by which the durations of plans are estimated, from `finished` migrations of this cloud.
 */
export function timeVariants(
  curve: readonly CurvePoint[],
  variants: AuditVariants['variants'],
  { snapshot, finished }: { snapshot: ComputeSnapshot; finished: readonly TimedSample[] },
): CurvePoint[] {
  const models = fitKinds(['live', 'cold'], finished);
  const rows = new Map(snapshot.instanceInfo.map(({ uuid }, row) => [uuid, row]));
  const secondsOf = (uuid: string): number => {
    const row = rows.get(uuid);
    const way = row === undefined ? null : usualWay(conditionOf(snapshot, row));
    const size = row === undefined ? null : (snapshot.instances.memory[row] ?? null);
    return models.get(way ?? 'live')?.estimate(size).median ?? 0;
  };
  const totals = new Map(
    variants.map(({ budget, moves }) => [budget, moves.reduce((sum, [uuid]) => sum + secondsOf(uuid), 0)]),
  );
  return curve.map((point) => ({ ...point, seconds: totals.get(point.budget) ?? point.seconds }));
}
