import { Label } from '@patternfly/react-core';
import { text } from '../texts/texts.ts';
import { type Stated, shownState, waitsForApproval } from './plan-states.ts';
import { StateLabel } from './state-label.tsx';

/** State of a plan as a label. */
export function PlanState({ plan }: { plan: Stated }) {
  return (
    <>
      <StateLabel state={shownState(plan)} />
      {waitsForApproval(plan) && (
        <>
          {' '}
          <Label color="orange" isCompact data-testid="waits-for-approval">
            {text('approval.waits')}
          </Label>
        </>
      )}
    </>
  );
}
