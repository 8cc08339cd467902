import { type ActionPlan, type ActionPlanState, VigilError } from '#libs/domain';

/** PostgreSQL cannot be reached or ended the connection. The same call may work later. */
export class StoreUnavailableError extends VigilError {
  readonly code = 'store_unavailable';
  readonly category = 'retryable';

  /** Whether it still serves reads. */
  readonly readable: boolean;

  constructor(reason: string, options?: ErrorOptions & { readable?: boolean }) {
    super(`the database is not available: ${reason}`, options);
    this.readable = options?.readable ?? false;
  }
}

/** A row of another system's database that cannot be taken over. */
export class ImportError extends VigilError {
  readonly code = 'import_failed';
  readonly category = 'invalid-input';

  /** `row` is its id or, without one, its position in the table from 1. */
  constructor(table: string, row: string | number, reason: string) {
    super(`table ${table}, row ${row}: ${reason}`);
  }
}

/** Most names in a text. */
const namedHosts = 3;

/** Another action plan holds hosts that this one uses or frees. */
export class PlanHeldError extends VigilError {
  readonly code = 'plan_held';
  readonly category = 'conflict';
  /** The plan that holds the hosts. */
  readonly holder: { uuid: string; state: ActionPlanState; hosts: readonly string[] };

  constructor(planUuid: string, holder: PlanHeldError['holder']) {
    super(`Action plan ${planUuid} cannot start: ${heldText(holder)}`);
    this.holder = holder;
  }
}

/** An action plan needs the approval of a second person. */
export class ApprovalWantedError extends VigilError {
  readonly code = 'approval_wanted';
  readonly category = 'conflict';

  constructor({ uuid, approval, approvalReason, approvalVoid }: ApprovalFacts) {
    const why = approvalVoid === null ? '' : `; ${approvalVoid}`;
    const state = approval === 'refused' ? 'its approval was refused' : 'it waits for approval';
    super(`Action plan ${uuid} cannot start: ${state} (${approvalReason ?? 'unknown rule'}${why})`);
  }
}

type ApprovalFacts = Pick<ActionPlan, 'uuid' | 'approval' | 'approvalReason' | 'approvalVoid'>;

/** Text with the plan and its hosts. */
export function heldText({ uuid, state, hosts }: PlanHeldError['holder']): string {
  const named = hosts.slice(0, namedHosts).join(', ');
  const more = hosts.length > namedHosts ? ` and ${hosts.length - namedHosts} more` : '';
  return `action plan ${uuid}, which is ${state}, holds ${hosts.length === 1 ? 'host' : 'hosts'} ${named}${more}`;
}
