import { Label } from '@patternfly/react-core';

type Color = 'green' | 'red' | 'blue' | 'orange' | 'grey' | 'purple' | 'teal';

/** Colour of each state of audits, plans, actions, services and tasks. The label always shows the state's name. */
const stateColors: Readonly<Record<string, Color>> = {
  SUCCEEDED: 'green',
  ACTIVE: 'green',
  UP: 'green',
  DONE: 'green',
  STILLRUNNING: 'orange',
  DEGRADED: 'red',
  NOTRUNNING: 'grey',
  DISABLED: 'orange',
  ONGOING: 'blue',
  PAUSED: 'orange',
  RUNNING: 'green',
  PENDING: 'teal',
  QUEUED: 'teal',
  RECOMMENDED: 'purple',
  FAILED: 'red',
  RETRYING: 'orange',
  DOWN: 'red',
  CANCELLING: 'orange',
  CANCELLED: 'grey',
  SKIPPED: 'grey',
  SUSPENDED: 'orange',
  SUPERSEDED: 'grey',
  DELETED: 'grey',
};

/** A state as a coloured label. */
export function StateLabel({ state }: { state: string }) {
  return (
    <Label color={stateColors[state.toUpperCase()] ?? 'grey'} isCompact data-testid="state">
      {state}
    </Label>
  );
}
