import { PageSection } from '@patternfly/react-core';
import { useMemo } from 'react';
import { PageHeader } from '../../components/page-header.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { Loading, Nothing } from '../../components/states.tsx';
import { useIsComplete, useLiveEntities } from '../../live/use-live.ts';
import { TaskTable } from '../tasks/task-table.tsx';
import { ParkedMessages } from './parked-messages.tsx';

/** Work that was given up after all its tries: tasks, and messages that nobody could take. */
export function DeadLettersPage() {
  const failed = useFailedTasks().length;
  const parked = useLiveEntities('dead_letters')[0]?.count ?? 0;
  return (
    <>
      <PageHeader title="Dead letters">
        Work that was given up after all its tries, until somebody runs it again.
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        <PageTabs
          label="Parts of the page"
          tabs={[
            { key: 'tasks', title: 'Failed tasks', count: failed, render: () => <FailedTasks /> },
            { key: 'messages', title: 'Parked messages', count: parked, render: () => <ParkedMessages /> },
          ]}
        />
      </PageSection>
    </>
  );
}

function useFailedTasks() {
  const tasks = useLiveEntities('task');
  return useMemo(() => tasks.filter((task) => task.state === 'FAILED'), [tasks]);
}

function FailedTasks() {
  const failed = useFailedTasks();
  const isComplete = useIsComplete('task');
  if (!isComplete) return <Loading what="failed tasks" />;
  return <TaskTable tasks={failed} empty={<Nothing title="No task has failed">Everything has been done.</Nothing>} />;
}
