import type { ActionPlan, ActionPlanOutcome, WatchedEntities } from '#libs/client';
import type { PlacementRule } from '../api/find-types.ts';

/** A plan with what only the stream has of it. */
export type LivePlan = ActionPlan & {
  /** Actions by state. `percent` of them have ended. */
  progress?: { total: number; ended: number; running: number; percent: number; by_state: Record<string, number> };
  outcome?: Omit<ActionPlanOutcome, 'action_plan_uuid'> & { rolls_back?: string | null };
};

/** A background task. */
export interface Task {
  uuid: string;
  name: string;
  args: unknown;
  queue: string;
  state: string;
  attempts: number;
  max_attempts: number;
  error: unknown;
  created_by: string | null;
  created_at: string | null;
  started_at: string | null;
  ended_at: string | null;
}

/** Who requested a change, and what came of it. */
export interface AuditLogEntry {
  uuid: string;
  at: string;
  request_id: string;
  user_id: string | null;
  user_name: string | null;
  project_id: string | null;
  project_name: string | null;
  roles: string[];
  address: string | null;
  method: string;
  route: string;
  operation: string;
  target_kind: string | null;
  target: string | null;
  /** HTTP status. Null when the process ended before it answered. */
  status: number | null;
  summary: string;
}

/** That the picture of the cloud has changed. The picture itself is read from the internal surface. */
export interface DataModelNote {
  id: string;
  taken_at: string;
  complete: boolean;
}

/** Entities that are kept live, by the stream's name of their kind. */
export interface LiveKinds
  extends Pick<WatchedEntities, 'goal' | 'strategy' | 'audit_template' | 'audit' | 'action' | 'service'> {
  action_plan: LivePlan;
  task: Task;
  audit_log: AuditLogEntry;
  data_model: DataModelNote;
  service_instance: { uuid: string; name: string; host: string; state: string };
  resource_graph: { id: string; edges: number };
  placement_rule: PlacementRule;
  dead_letters: { id: string; count: number; failed_tasks?: number };
}

/** A name of a kind. */
export type LiveKind = keyof LiveKinds;
