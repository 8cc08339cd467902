import { Button, Modal, ModalBody, ModalFooter, ModalHeader, type ModalProps } from '@patternfly/react-core';
import { type ReactNode, useEffect } from 'react';
import { text } from '../texts/texts.ts';

/** Properties of a dialog. All others are those of PatternFly's `Modal`. */
export interface DialogProps extends Omit<ModalProps, 'ref' | 'isOpen' | 'title' | 'onClose'> {
  title: string;
  description?: string;
  /** Buttons before the closing one. Without either there is no footer. */
  buttons?: ReactNode;
  /** Text of the button that changes nothing. Default: not now. */
  leave?: string;
  /** Without it only the buttons close the dialog. */
  onClose?: () => void;
}

/** The content of `Dialog`, loaded on demand. */
export function OpenDialog({ title, description, buttons, leave, onClose, children, ...modal }: DialogProps) {
  return (
    <Modal isOpen variant="small" aria-label={title} onClose={onClose} {...modal}>
      <CloseButton />
      <ModalHeader title={title} description={description} />
      <ModalBody>{children}</ModalBody>
      {(buttons || leave) && (
        <ModalFooter>
          {buttons}
          {onClose && (
            <Button variant="link" onClick={onClose}>
              {leave ?? text('dialog.notNow')}
            </Button>
          )}
        </ModalFooter>
      )}
    </Modal>
  );
}

/** Names the closing button in the language of the page: PatternFly has no property for its name. */
function CloseButton() {
  useEffect(() =>
    document.querySelector('.pf-v6-c-modal-box__close > button')?.setAttribute('aria-label', text('dialog.close')),
  );
  return null;
}
