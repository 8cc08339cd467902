import { useState } from 'react';
import { text } from '../texts/texts.ts';
import { Alert } from './worded-parts.tsx';

interface OutOfDateProps {
  /** Shown state of the dialog's subject. */
  state: string;
  /** Whether the action is still possible. */
  isPossible: boolean;
}

/** Shows in an open dialog that its subject has changed since it was opened, for example by another user. */
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
      {text(isPossible ? 'outOfDate.review' : 'outOfDate.impossible')}
    </Alert>
  );
}
