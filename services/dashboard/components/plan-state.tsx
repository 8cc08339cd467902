import { StateLabel } from './state-label.tsx';

/** Fields of a plan that determine its shown state, as in the stream or a list. */
interface Stated {
  state: string;
  paused?: boolean;
  outcome?: { paused?: boolean } | undefined;
}

/** The shown state: a held plan has a separate one. */
export function shownState(plan: Stated): string {
  const isRunning = plan.state === 'ONGOING' || plan.state === 'PENDING';
  return isRunning && (plan.paused ?? plan.outcome?.paused) === true ? 'PAUSED' : plan.state;
}

/** State of a plan as a label. */
export function PlanState({ plan }: { plan: Stated }) {
  return <StateLabel state={shownState(plan)} />;
}
