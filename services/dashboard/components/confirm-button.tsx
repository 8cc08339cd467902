import { Button } from '@patternfly/react-core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { text } from '../texts/texts.ts';
import { Dialog } from './lazy-parts.tsx';
import { useNotices } from './notices.tsx';
import { OutOfDate } from './out-of-date.tsx';

interface ConfirmButtonProps {
  label: string;
  title: string;
  children: ReactNode;
  /** Action to run. The dialog shows its failure. */
  run: () => Promise<unknown>;
  /** Shown after success. */
  done: string;
  variant?: 'danger' | 'secondary' | 'primary' | 'link';
  /** Whether the action is irreversible. Default: true for a danger button. */
  isDestructive?: boolean;
  isDisabled?: boolean;
  /** State of the subject. An open dialog shows when it has changed. */
  state?: string;
  /** Whether the action is possible now. Default true. Otherwise there is no button, and an open dialog shows it. */
  isOffered?: boolean;
}

/** Dangerous buttons, apart from the others. */
export function Dangerous({ children }: { children: ReactNode }) {
  return <div className="vigil-dangerous">{children}</div>;
}

/** A button that runs its action after a confirmation. */
export function ConfirmButton({
  label,
  title,
  children,
  run,
  done,
  variant = 'secondary',
  isDestructive = variant === 'danger',
  isDisabled,
  state = '',
  isOffered = true,
}: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const notices = useNotices();
  useSaysWhenCutOff(isOpen && !isBusy, title);
  const confirm = async () => {
    setBusy(true);
    try {
      await run();
      notices.success(done);
      setOpen(false);
    } catch (error) {
      notices.failure(text('dialog.failed', { label }), error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {isOffered && (
        <Button
          variant={variant === 'danger' ? 'secondary' : variant}
          isDanger={variant === 'danger'}
          isInline={variant === 'link'}
          isDisabled={isDisabled}
          onClick={() => setOpen(true)}
        >
          {label}
        </Button>
      )}
      {isOpen && (
        <Dialog
          title={title}
          onClose={() => setOpen(false)}
          leave={text('dialog.keep')}
          buttons={
            <Button
              variant={isDestructive ? 'danger' : 'primary'}
              isLoading={isBusy}
              isDisabled={isBusy || !isOffered}
              onClick={() => void confirm()}
            >
              {label}
            </Button>
          }
        >
          {!isBusy && <OutOfDate state={state} isPossible={isOffered} />}
          {children}
        </Dialog>
      )}
    </>
  );
}

/** A dialog closes with its row, for example after another user deletes it. A notice then explains it. */
function useSaysWhenCutOff(isWaiting: boolean, title: string): void {
  const { info } = useNotices();
  const latest = useRef({ isWaiting, title });
  useEffect(() => {
    latest.current = { isWaiting, title };
  });
  useEffect(
    () => () => {
      if (latest.current.isWaiting) info(text('outOfDate.closed', { title: latest.current.title }));
    },
    [info],
  );
}
