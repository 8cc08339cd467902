import { EmptyState, EmptyStateBody } from '@patternfly/react-core';
import LockIcon from '@patternfly/react-icons/dist/esm/icons/lock-icon';
import { useDashboard } from '../api/dashboard-context.tsx';

/** Shown instead of a page that the policy does not let the user read. */
export function NoPermission() {
  const { session } = useDashboard();
  return (
    <EmptyState titleText="You have no permission here" icon={LockIcon} headingLevel="h1">
      <EmptyStateBody>
        The policy gives your roles in the project {session.project} nothing to see:{' '}
        {session.roles.join(', ') || 'none'}. Sign in to a project where you are an administrator.
      </EmptyStateBody>
    </EmptyState>
  );
}
