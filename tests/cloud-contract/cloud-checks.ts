import { caseChecks } from './cases/case-checks.ts';
import { identityChecks } from './checks/identity-checks.ts';
import { listingChecks } from './checks/listing-checks.ts';
import { migrationChecks } from './checks/migration-checks.ts';
import { moveTableChecks } from './checks/move-table-checks.ts';
import { powerChecks } from './checks/power-checks.ts';
import { serverChangeChecks } from './checks/server-change-checks.ts';
import { serviceChecks } from './checks/service-checks.ts';
import { shapeChecks } from './checks/shape-checks.ts';
import { volumeChecks } from './checks/volume-checks.ts';
import type { CloudCheck } from './cloud-check.ts';

/**
 * The whole contract: reads first, and the evacuation last, because it leaves a host forced down. The checks share the
 * cloud, so they run sequentially.
 */
export const cloudChecks: readonly CloudCheck[] = [
  ...identityChecks,
  ...shapeChecks,
  ...caseChecks,
  ...listingChecks,
  ...serviceChecks,
  ...migrationChecks,
  ...serverChangeChecks,
  ...volumeChecks,
  ...powerChecks,
  ...moveTableChecks,
];
