import type { ActionPlan, ActionPlanOutcome, WatchedEntities } from '#libs/client';
import type { PlacementRule } from '../api/find-types.ts';

/** A plan with the fields that only the stream has. */
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

/** A requested change: its user and its result. */
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
  /** HTTP status. Null if the process ended before its response. */
  status: number | null;
  summary: string;
}

/** Notice of a changed cloud model. The model is read from the internal surface. */
export interface DataModelNote {
  id: string;
  taken_at: string;
  complete: boolean;
}

/** Entities of the stream, by the stream's name of their kind. */
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
