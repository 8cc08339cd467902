import type { ComputeSnapshot, ScopeReport } from '#libs/cluster-model';
import { counted, type MetricName, type MetricUse, metricCatalogue } from '#libs/domain';

/** Notes on the part of the cloud that the scope of an audit excludes. */
export function scopeNotes(scope: ScopeReport): string[] {
  const notes = scope.unknown.map((name) => `the scope names ${name}, which the cloud does not have`);
  if (scope.hostsRemoved + scope.instancesRemoved + scope.instancesExcluded > 0)
    notes.unshift(
      `the scope leaves out ${scope.hostsRemoved} hosts and ${scope.instancesRemoved} instances, and excludes ${scope.instancesExcluded} instances`,
    );
  return notes;
}

/** Late measurements are still used. The report states their age. */
export function lateNotes(uses: readonly MetricUse[]): string[] {
  return uses.flatMap(({ metric, source, late }) => {
    if (late === undefined) return [];
    const where = source ? ` in ${source}` : '';
    return [
      `${metric} is late${where}: the newest values of ${late.resources} resources are up to ${Math.round(late.ageSeconds)} s old`,
    ];
  });
}

/** Impossible measurements count as missing. One note for each metric and source, with the most resources. */
export function impossibleNotes(uses: readonly MetricUse[]): string[] {
  const worst = new Map<string, MetricUse>();
  for (const use of uses) {
    const key = `${use.metric} ${use.source}`;
    const known = worst.get(key)?.impossible?.resources ?? 0;
    if ((use.impossible?.resources ?? 0) > known) worst.set(key, use);
  }
  return [...worst.values()].flatMap(({ metric, source, impossible }) => {
    if (impossible === undefined) return [];
    const { most, unit } = metricCatalogue[metric as MetricName];
    const { resources, greatest, examples } = impossible;
    const where = source ? ` in ${source}` : '';
    return [
      `${metric} has impossible values${where}, which count as missing: of ${resources} resources (such as ` +
        `${examples.slice(0, 3).join(', ')}), up to ${Math.round(greatest)} ${unit}, above ${most} ${unit}`,
    ];
  });
}

/** Without the server groups, the allowed hosts of instances are unknown. */
export function groupNotes({ groupsUnknown, instanceInfo }: ComputeSnapshot): string[] {
  if (!groupsUnknown || instanceInfo.length === 0) return [];
  return [
    `no instance is moved (${counted(instanceInfo.length, 'instance')}): the server groups of Nova could not be listed`,
  ];
}

/** Notes on network ports that could not be read. */
export function portNotes({ portsUnknown, instanceInfo }: ComputeSnapshot): string[] {
  if (portsUnknown === undefined || instanceInfo.length === 0) return [];
  return [`network ports are not considered, so that Nova may refuse moves because of them: ${portsUnknown}`];
}
