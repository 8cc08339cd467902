import { DomainTables1795219200000 } from './1795219200000-domain-tables.ts';
import { WorkTables1795219201000 } from './1795219201000-work-tables.ts';
import { ChangeLog1795219202000 } from './1795219202000-change-log.ts';
import { MessageBus1795219203000 } from './1795219203000-message-bus.ts';
import { History1795219204000 } from './1795219204000-history.ts';
import { PlanControl1795219205000 } from './1795219205000-plan-control.ts';
import { ContinuousAudits1795219206000 } from './1795219206000-continuous-audits.ts';
import { ApiSupport1795219207000 } from './1795219207000-api-support.ts';
import { Notifications1795219208000 } from './1795219208000-notifications.ts';
import { ParameterOrder1795219209000 } from './1795219209000-parameter-order.ts';
import { ChangeStream1795219210000 } from './1795219210000-change-stream.ts';
import { ServiceRegistry1795219220000 } from './1795219220000-service-registry.ts';
import { Tasks1795219230000 } from './1795219230000-tasks.ts';
import { DynamicValues1795219240000 } from './1795219240000-dynamic-values.ts';
import { LoadedPlugins1795219250000 } from './1795219250000-loaded-plugins.ts';
import { DashboardSessions1795219270000 } from './1795219270000-dashboard-sessions.ts';
import { CrashCauses1795219280000 } from './1795219280000-crash-causes.ts';
import { TaskRedrives1795219281000 } from './1795219281000-task-redrives.ts';
import { PlanRollback1795219320000 } from './1795219320000-plan-rollback.ts';
import { LoggedSequences1795219330000 } from './1795219330000-logged-sequences.ts';
import { ProcessLoops1795219340000 } from './1795219340000-process-loops.ts';
import { AuditLog1795219350000 } from './1795219350000-audit-log.ts';
import { PublishedStates1795219351000 } from './1795219351000-published-states.ts';
import { RunPhases1795219360000 } from './1795219360000-run-phases.ts';
import { PluginDescriptions1795219361000 } from './1795219361000-plugin-descriptions.ts';
import { AuditLastRun1795219380000 } from './1795219380000-audit-last-run.ts';
import { RunOutcomes1795219395000 } from './1795219395000-run-outcomes.ts';
import { ServiceStatusByDistance1795219396000 } from './1795219396000-service-status-by-distance.ts';
import { PlanTotals1795219400000 } from './1795219400000-plan-totals.ts';
import { StoreLineage1795219410000 } from './1795219410000-store-lineage.ts';
import { SessionEnds1795219420000 } from './1795219420000-session-ends.ts';
import { PlanHosts1795219440000 } from './1795219440000-plan-hosts.ts';
import { PlacementRules1795219450000 } from './1795219450000-placement-rules.ts';
import { PlanVariants1795219460000 } from './1795219460000-plan-variants.ts';
import { MoveHistory1795219470000 } from './1795219470000-move-history.ts';
import { TraceContexts1795219480000 } from './1795219480000-trace-contexts.ts';
import type { Migration } from './migration.ts';

/** Every migration, oldest first. A new one is a file beside this and a line here; one that was released never changes. */
export const migrations: (new () => Migration)[] = [
  DomainTables1795219200000,
  WorkTables1795219201000,
  ChangeLog1795219202000,
  MessageBus1795219203000,
  History1795219204000,
  PlanControl1795219205000,
  ContinuousAudits1795219206000,
  ApiSupport1795219207000,
  Notifications1795219208000,
  ParameterOrder1795219209000,
  ChangeStream1795219210000,
  ServiceRegistry1795219220000,
  Tasks1795219230000,
  DynamicValues1795219240000,
  LoadedPlugins1795219250000,
  DashboardSessions1795219270000,
  CrashCauses1795219280000,
  TaskRedrives1795219281000,
  PlanRollback1795219320000,
  LoggedSequences1795219330000,
  ProcessLoops1795219340000,
  AuditLog1795219350000,
  PublishedStates1795219351000,
  RunPhases1795219360000,
  PluginDescriptions1795219361000,
  AuditLastRun1795219380000,
  RunOutcomes1795219395000,
  ServiceStatusByDistance1795219396000,
  PlanTotals1795219400000,
  StoreLineage1795219410000,
  SessionEnds1795219420000,
  PlanHosts1795219440000,
  PlacementRules1795219450000,
  PlanVariants1795219460000,
  MoveHistory1795219470000,
  TraceContexts1795219480000,
];
