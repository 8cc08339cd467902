import { StateLabel } from './state-label.tsx';

/** Parts of a plan that make its shown state, as the stream or a list has them. */
interface Stated {
  state: string;
  paused?: boolean;
  outcome?: { paused?: boolean } | undefined;
}

/** The state that people see: a plan that is held has one of its own. */
export function shownState(plan: Stated): string {
  const isRunning = plan.state === 'ONGOING' || plan.state === 'PENDING';
  return isRunning && (plan.paused ?? plan.outcome?.paused) === true ? 'PAUSED' : plan.state;
}

/** State of a plan as a label. */
export function PlanState({ plan }: { plan: Stated }) {
  return <StateLabel state={shownState(plan)} />;
}
