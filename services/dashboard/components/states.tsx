import { Bullseye, Button, EmptyState, EmptyStateBody, EmptyStateFooter, Spinner } from '@patternfly/react-core';
import CubesIcon from '@patternfly/react-icons/dist/esm/icons/cubes-icon';
import ExclamationCircleIcon from '@patternfly/react-icons/dist/esm/icons/exclamation-circle-icon';
import LockIcon from '@patternfly/react-icons/dist/esm/icons/lock-icon';
import type { ReactNode } from 'react';
import { VigilApiError } from '#libs/client';
import { text } from '../texts/texts.ts';
import { errorWords } from './error-words.ts';
import { plainProse } from './prose-parts.ts';

/** Shown while loading. */
export function Loading({ what }: { what: string }) {
  return (
    <Bullseye className="vigil-state">
      <Spinner data-testid="loading" aria-label={text('shell.loading', { what })} />
    </Bullseye>
  );
}

/** Shown if there is nothing, with a hint for the next step. */
export function Nothing({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <EmptyState titleText={title} icon={CubesIcon} headingLevel="h2" variant="sm">
      {children && <EmptyStateBody>{children}</EmptyStateBody>}
      {action && <EmptyStateFooter>{action}</EmptyStateFooter>}
    </EmptyState>
  );
}

/** Shown if reading failed: no permission, not found, or a failure with its reason. */
export function Failure({ title, error, onRetry }: { title: string; error: unknown; onRetry?: () => void }) {
  const status = error instanceof VigilApiError ? error.status : 0;
  if (status === 403) {
    return (
      <EmptyState titleText={text('shell.noPermissionFor')} icon={LockIcon} headingLevel="h2" variant="sm">
        <EmptyStateBody>{textOf(error)}</EmptyStateBody>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      titleText={status === 404 ? text('shell.notThere') : title}
      icon={ExclamationCircleIcon}
      {...(status === 404 ? {} : { status: 'danger' as const })}
      headingLevel="h2"
      variant="sm"
    >
      <EmptyStateBody>{textOf(error)}</EmptyStateBody>
      {onRetry && (
        <EmptyStateFooter>
          <Button variant="secondary" onClick={onRetry}>
            {text('shell.tryAgain')}
          </Button>
        </EmptyStateFooter>
      )}
    </EmptyState>
  );
}

/** The text of a thrown value, in the words of the page. */
export function textOf(error: unknown): string {
  return plainProse(errorWords(error instanceof Error ? error.message : String(error)));
}
