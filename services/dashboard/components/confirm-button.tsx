import { Button } from '@patternfly/react-core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { text } from '../texts/texts.ts';
import { Dialog } from './form-parts.tsx';
import { useNotices } from './notices.tsx';
import { OutOfDate } from './out-of-date.tsx';

interface ConfirmButtonProps {
  label: string;
  title: string;
  children: ReactNode;
  /** Act to do. Its failure is shown. */
  run: () => Promise<unknown>;
  /** Shown when it has happened. */
  done: string;
  variant?: 'danger' | 'secondary' | 'primary' | 'link';
  /** Whether what is gone is gone. Default: when the button itself is a dangerous one. */
  isDestructive?: boolean;
  isDisabled?: boolean;
  /** State of what it is about: an open dialog says when that has changed. */
  state?: string;
  /** Whether it can be done now, default true. Otherwise there is no button, and an open dialog says so. */
  isOffered?: boolean;
}

/** A button that asks before it does what it says. */
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

/** A dialog goes with the row that it belongs to, such as when somebody else deletes that. Nobody is left wondering. */
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
