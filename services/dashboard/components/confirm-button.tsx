import { Button, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { type ReactNode, useState } from 'react';
import { useNotices } from './notices.tsx';

interface ConfirmButtonProps {
  label: string;
  title: string;
  children: ReactNode;
  /** What happens; its failure is shown. */
  run: () => Promise<unknown>;
  /** Shown when it has happened. */
  done: string;
  variant?: 'danger' | 'secondary' | 'primary' | 'link';
  /** Whether what is gone is gone; default: when the button itself is a dangerous one. */
  isDestructive?: boolean;
  isDisabled?: boolean;
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
}: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const notices = useNotices();
  const confirm = async () => {
    setBusy(true);
    try {
      await run();
      notices.success(done);
      setOpen(false);
    } catch (error) {
      notices.failure(`${label} failed`, error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        variant={variant === 'danger' ? 'secondary' : variant}
        isDanger={variant === 'danger'}
        isInline={variant === 'link'}
        isDisabled={isDisabled}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {isOpen && (
        <Modal isOpen variant="small" onClose={() => setOpen(false)} aria-label={title}>
          <ModalHeader title={title} />
          <ModalBody>{children}</ModalBody>
          <ModalFooter>
            <Button
              variant={isDestructive ? 'danger' : 'primary'}
              isLoading={isBusy}
              isDisabled={isBusy}
              onClick={() => void confirm()}
            >
              {label}
            </Button>
            <Button variant="link" onClick={() => setOpen(false)}>
              Keep as it is
            </Button>
          </ModalFooter>
        </Modal>
      )}
    </>
  );
}
