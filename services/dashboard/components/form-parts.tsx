import { FormHelperText, HelperText, HelperTextItem } from '@patternfly/react-core';
import type { ReactNode } from 'react';

/** A hint or an error below a field. */
export function FieldHint({ children, isError = false }: { children: ReactNode; isError?: boolean }) {
  return (
    <FormHelperText>
      <HelperText>
        <HelperTextItem variant={isError ? 'error' : 'default'}>{children}</HelperTextItem>
      </HelperText>
    </FormHelperText>
  );
}
