import type { LivePlan } from '../live/live-entities.ts';
import { StateLabel } from './state-label.tsx';

/** The state that people see: a plan that is held has one of its own. */
export function shownState(plan: { state: string; outcome?: { paused?: boolean } | undefined }): string {
  const isRunning = plan.state === 'ONGOING' || plan.state === 'PENDING';
  return isRunning && plan.outcome?.paused === true ? 'PAUSED' : plan.state;
}

/** State of a plan as a label. */
export function PlanState({ plan }: { plan: LivePlan }) {
  return <StateLabel state={shownState(plan)} />;
}
