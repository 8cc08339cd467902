/** Fields of a plan that determine its shown state, as in the stream or a list. */
export interface Stated {
  state: string;
  paused?: boolean;
  outcome?: { paused?: boolean } | undefined;
  approval?: string | null | { approval: string | null };
}

/** The shown state: a held plan has a separate one. */
export function shownState(plan: Stated): string {
  const isRunning = plan.state === 'ONGOING' || plan.state === 'PENDING';
  return isRunning && (plan.paused ?? plan.outcome?.paused) === true ? 'PAUSED' : plan.state;
}

/** Whether the plan cannot start before a second person approves it. */
export function waitsForApproval({ state, approval }: Stated): boolean {
  return state === 'RECOMMENDED' && (typeof approval === 'object' ? approval?.approval : approval) === 'wanted';
}
