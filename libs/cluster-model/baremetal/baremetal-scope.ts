import { type AuditScope, objectsOf } from '#libs/domain';

import type { BaremetalSnapshot } from './baremetal-snapshot.ts';

/** The effect of a scope on the model of the machines. */
export interface BaremetalScopeReport {
  nodesRemoved: number;
  /** Uuids in the scope that the cloud does not have. They are ignored. */
  unknown: string[];
}

/**
 * Removes the machines that the `baremetal` entries of a scope exclude (`exclude`, `ironic_nodes`, `uuid`) at any
 * depth.
 * @throws InvalidInputError when a rule does not have the documented shape.
 */
export function applyBaremetalScope(
  snapshot: BaremetalSnapshot,
  scope: AuditScope,
): { snapshot: BaremetalSnapshot; report: BaremetalScopeReport } {
  const excluded = new Set(
    scope
      .flatMap((entry) => objectsOf(entry.baremetal, 'scope.baremetal'))
      .flatMap((rule) => objectsOf(rule.exclude, 'baremetal.exclude'))
      .flatMap((rule) => objectsOf(rule.ironic_nodes, 'baremetal.exclude.ironic_nodes'))
      .map(({ uuid }) => String(uuid ?? '')),
  );
  if (excluded.size === 0) return { snapshot, report: { nodesRemoved: 0, unknown: [] } };
  const nodes = snapshot.nodes.filter(({ uuid }) => !excluded.has(uuid));
  const known = new Set(snapshot.nodes.map(({ uuid }) => uuid));
  const unknown = [...excluded].filter((uuid) => !known.has(uuid)).map((uuid) => `bare metal node ${uuid}`);
  return { snapshot: { ...snapshot, nodes }, report: { nodesRemoved: snapshot.nodes.length - nodes.length, unknown } };
}
