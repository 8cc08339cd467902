import { EmptyState, EmptyStateBody } from '@patternfly/react-core';
import LockIcon from '@patternfly/react-icons/dist/esm/icons/lock-icon';
import { useDashboard } from '../live/dashboard-context.tsx';

/** Shown instead of a page that the policy does not let the user read. */
export function NoPermission() {
  const { session } = useDashboard();
  return (
    <EmptyState titleText="You have no permission here" icon={LockIcon} headingLevel="h1">
      <EmptyStateBody>
        Your roles in the project {session.project} ({session.roles.join(', ') || 'none'}) do not let you see this page.
        Sign out and choose a project where you are an administrator, or ask for the role.
      </EmptyStateBody>
    </EmptyState>
  );
}
