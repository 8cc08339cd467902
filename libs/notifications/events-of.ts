import type { ChangeRow } from '#libs/store';
import type { NotificationPriority } from './notification.ts';

/** Notification of a change: event type, class of its payload, and the fields in addition to the entity. */
export interface NotificationEvent {
  eventType: string;
  payloadName: string;
  priority: NotificationPriority;
  beside: 'plain' | 'update' | 'phase';
  /** Phase that failed, for the fault of the payload. */
  failedIn?: string;
  /** State that the payload shows instead of the entity's. */
  shownState?: string;
}

/** Kinds of entities with notifications. */
export type NotifiedKind = 'audit' | 'action_plan' | 'action';

const classes: Record<NotifiedKind, string> = { audit: 'Audit', action_plan: 'ActionPlan', action: 'Action' };

/**
 * The notifications of one change in Watcher's order: of the row, and of the phase that its new state starts or ends. A
 * soft delete is first reported as an update.
 * @param change `failedIn`: phase in which a run failed by the report of its audit. Default: not known.
 */
export function eventsOf(
  kind: NotifiedKind,
  change: Pick<ChangeRow, 'op' | 'oldState' | 'runPhase'> & { state: string | null; failedIn?: string | null },
): NotificationEvent[] {
  const rowEvent = (op: 'create' | 'update' | 'delete'): NotificationEvent => ({
    eventType: `${kind}.${op}`,
    payloadName: `${classes[kind]}${capital(op)}Payload`,
    priority: 'info',
    beside: op === 'update' ? 'update' : 'plain',
  });
  if (change.op === 'create') return [rowEvent('create')];
  if (change.op === 'delete') return [{ ...rowEvent('update'), shownState: 'DELETED' }, rowEvent('delete')];
  return [rowEvent('update'), ...phasesBy(kind, change).map((phase) => phaseEvent(kind, phase))];
}

function phasesBy(
  kind: NotifiedKind,
  { oldState, state, runPhase, failedIn }: Parameters<typeof eventsOf>[1],
): readonly string[] {
  if (oldState !== null) {
    const isOfPlanner = kind === 'audit' && oldState === 'ONGOING' && state === 'FAILED' && failedIn === 'planner';
    return isOfPlanner ? plannerFailed : (phasesOf[kind][`${oldState} ${state}`] ?? []);
  }
  // A CONTINUOUS audit is ONGOING all the time, so the results of its runs are reported.
  if (runPhase === null) return [];
  return runPhase === 'failed' && failedIn === 'planner' ? plannerFailed : phasesOfRun[runPhase];
}

const runEnded = ['strategy.end', 'planner.start', 'planner.end'];

const plannerFailed = ['strategy.end', 'planner.start', 'planner.error'];

const phasesOfRun: Record<NonNullable<ChangeRow['runPhase']>, string[]> = {
  begun: ['strategy.start'],
  succeeded: runEnded,
  failed: ['strategy.error'],
};

/** Phases that plans and actions share. */
const executionPhases = {
  'PENDING ONGOING': ['execution.start'],
  'ONGOING SUCCEEDED': ['execution.end'],
  'ONGOING FAILED': ['execution.error'],
  'PENDING FAILED': ['execution.error'],
  'ONGOING CANCELLING': ['cancel.start'],
  'CANCELLING CANCELLED': ['cancel.end'],
};

/** Phases by `<old state> <new state>`. Each is `<name>.<start, end or error>`. */
const phasesOf: Record<NotifiedKind, Record<string, string[]>> = {
  audit: {
    'PENDING ONGOING': ['strategy.start'],
    'ONGOING SUCCEEDED': runEnded,
    'ONGOING FAILED': ['strategy.error'],
    'PENDING FAILED': ['strategy.error'],
  },
  action_plan: {
    ...executionPhases,
    'CANCELLING FAILED': ['cancel.error'],
  },
  action: {
    ...executionPhases,
    'CANCELLING SUCCEEDED': ['cancel.end'],
    'CANCELLING FAILED': ['cancel.error'],
    'PENDING CANCELLED': ['cancel.start', 'cancel.end'],
  },
};

/** Classes of the payloads of phases. Those of audits are the same for all. */
const phaseClasses: Record<string, string> = {
  'audit.strategy': 'AuditActionPayload',
  'audit.planner': 'AuditActionPayload',
  'action_plan.execution': 'ActionPlanActionPayload',
  'action_plan.cancel': 'ActionPlanCancelPayload',
  'action.execution': 'ActionExecutionPayload',
  'action.cancel': 'ActionCancelPayload',
};

function phaseEvent(kind: NotifiedKind, phase: string): NotificationEvent {
  const [name = '', step = ''] = phase.split('.');
  const isError = step === 'error';
  return {
    eventType: `${kind}.${phase}`,
    payloadName: phaseClasses[`${kind}.${name}`] ?? '',
    priority: isError ? 'error' : 'info',
    beside: 'phase',
    ...(isError ? { failedIn: name } : {}),
    // Watcher reports the start of an action before it has written it.
    ...(kind === 'action' && phase === 'execution.start' ? { shownState: 'PENDING' } : {}),
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
