import type { ActionPlan, ActionPlanApproval, ActionPlanOutcome, WatchedEntities } from '#libs/client';
import type { PlacementRule } from '../api/find-types.ts';
import type { AuditLogEntry, Task } from '../api/internal-types.ts';

/** A plan with the fields that only the stream has. */
export type LivePlan = ActionPlan & {
  /** Actions by state. `percent` of them have ended. */
  progress?: WatchedEntities['action_plan']['progress'];
  outcome?: Omit<ActionPlanOutcome, 'action_plan_uuid' | 'progress'> & { rolls_back?: string | null };
  approval?: Omit<ActionPlanApproval, 'action_plan_uuid' | 'state'>;
  /** Number of comments. Absent for a plan that was read and not streamed. */
  comments?: number;
};

/** Notice of a changed cloud model. The model is read from the internal surface. */
export interface DataModelNote {
  /** `compute`, `storage` or `baremetal`. */
  id: string;
  taken_at: string;
  /** Loads change without a new model, and are published with the same one. */
  published_at: string;
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
