import { Entities1795305600000 } from './1795305600000-entities.ts';
import { PlanRuns1795305601000 } from './1795305601000-plan-runs.ts';
import { ChangeLog1795305602000 } from './1795305602000-change-log.ts';
import { ChangeStream1795305603000 } from './1795305603000-change-stream.ts';
import { Messages1795305604000 } from './1795305604000-messages.ts';
import { Processes1795305605000 } from './1795305605000-processes.ts';
import { ResourceGraph1795305606000 } from './1795305606000-resource-graph.ts';
import { Tasks1795305607000 } from './1795305607000-tasks.ts';
import { DynamicValues1795305608000 } from './1795305608000-dynamic-values.ts';
import { History1795305609000 } from './1795305609000-history.ts';
import { ApiRequests1795305610000 } from './1795305610000-api-requests.ts';
import { PlacementRules1795305611000 } from './1795305611000-placement-rules.ts';
import { Plugins1795305612000 } from './1795305612000-plugins.ts';
import { StoreIdentity1795305613000 } from './1795305613000-store-identity.ts';
import { IdempotentEntities1795305623000 } from './1795305623000-idempotent-entities.ts';
import { PlanAdmission1795305633000 } from './1795305633000-plan-admission.ts';
import { PlanByOrder1795305643000 } from './1795305643000-plan-by-order.ts';
import { PlanMeasurements1795305653000 } from './1795305653000-plan-measurements.ts';
import { AuditOwners1795305663000 } from './1795305663000-audit-owners.ts';
import { AuditLogChain1795305673000 } from './1795305673000-audit-log-chain.ts';
import { ActionRefusals1795305683000 } from './1795305683000-action-refusals.ts';
import { AlertReceivers1795305693000 } from './1795305693000-alert-receivers.ts';
import { NotificationTargets1795305703000 } from './1795305703000-notification-targets.ts';
import { PlanApprovals1795305713000 } from './1795305713000-plan-approvals.ts';
import { AutomationLevels1795305723000 } from './1795305723000-automation-levels.ts';
import { PlanComments1795305733000 } from './1795305733000-plan-comments.ts';
import { WindowZone1795305743000 } from './1795305743000-window-zone.ts';
import type { Migration } from './migration.ts';

/**
 * Every migration, oldest first. A new one is a file beside this and a line here. One that was released never changes.
 */
export const migrations: (new () => Migration)[] = [
  Entities1795305600000,
  PlanRuns1795305601000,
  ChangeLog1795305602000,
  ChangeStream1795305603000,
  Messages1795305604000,
  Processes1795305605000,
  ResourceGraph1795305606000,
  Tasks1795305607000,
  DynamicValues1795305608000,
  History1795305609000,
  ApiRequests1795305610000,
  PlacementRules1795305611000,
  Plugins1795305612000,
  StoreIdentity1795305613000,
  IdempotentEntities1795305623000,
  PlanAdmission1795305633000,
  PlanByOrder1795305643000,
  PlanMeasurements1795305653000,
  AuditOwners1795305663000,
  AuditLogChain1795305673000,
  ActionRefusals1795305683000,
  AlertReceivers1795305693000,
  NotificationTargets1795305703000,
  PlanApprovals1795305713000,
  AutomationLevels1795305723000,
  PlanComments1795305733000,
  WindowZone1795305743000,
];
