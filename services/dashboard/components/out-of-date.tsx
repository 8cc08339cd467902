import { useState } from 'react';
import { text } from '../texts/texts.ts';
import { Alert } from './worded-parts.tsx';

interface OutOfDateProps {
  /** State of what the dialog is about, as people see it. */
  state: string;
  /** Whether it can still be done. */
  isPossible: boolean;
}

/** Says in an open dialog that what it is about has changed since it was opened, such as by somebody else. */
export function OutOfDate({ state, isPossible }: OutOfDateProps) {
  const [first] = useState(state);
  if (isPossible && first === state) return null;
  return (
    <Alert
      isInline
      isLiveRegion
      variant={isPossible ? 'warning' : 'danger'}
      title={text('outOfDate.title')}
      className="vigil-out-of-date"
    >
      {first !== state && text('outOfDate.states', { before: first, now: state })}{' '}
      {text(isPossible ? 'outOfDate.look' : 'outOfDate.impossible')}
    </Alert>
  );
}
