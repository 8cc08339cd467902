import { Button, EmptyState, EmptyStateBody, EmptyStateFooter } from '@patternfly/react-core';
import CubesIcon from '@patternfly/react-icons/dist/esm/icons/cubes-icon';
import ExclamationCircleIcon from '@patternfly/react-icons/dist/esm/icons/exclamation-circle-icon';
import LockIcon from '@patternfly/react-icons/dist/esm/icons/lock-icon';
import type { ReactNode } from 'react';
import { VigilApiError } from '#libs/client';
import { text } from '../texts/texts.ts';
import { errorWords } from './error-words.ts';
import { plainProse } from './prose-parts.ts';

/** Lines of a skeleton by the content that replaces it. A drawing is one block, and the headline of a plan two. */
const lines = { line: 1, notice: 1, rows: 4, table: 12, drawing: 1, headline: 2 } as const;

/** Shown while loading: a skeleton about as high as the loaded form. */
export function Loading({ what, as = 'rows' }: { what: string; as?: keyof typeof lines }) {
  return (
    <div
      className={`vigil-skeleton vigil-skeleton-${as}`}
      role="status"
      aria-label={text('shell.loading', { what })}
      data-testid="loading"
    >
      {Array.from({ length: lines[as] }, (_, line) => (
        <span key={line} />
      ))}
    </div>
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
      titleText={status === 404 ? text('shell.notFound') : title}
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

/** The message of a thrown value, in the language of the page. */
export function textOf(error: unknown): string {
  return plainProse(errorWords(error instanceof Error ? error.message : String(error)));
}
