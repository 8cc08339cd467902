import { PageSection } from '@patternfly/react-core';
import { PageHeader } from '../../components/page-header.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { type Task, TaskTable } from '../tasks/task-table.tsx';

/** Work that was given up after all its tries. */
export function DeadLettersPage() {
  const tasks = useStreamQuery<{ tasks: Task[] }>('tasks?state=FAILED&limit=500');
  return (
    <>
      <PageHeader title="Dead letters">
        Work that was given up after all its tries, until somebody runs it again.
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        {tasks.isPending && <Loading what="dead letters" />}
        {tasks.isError && !tasks.data && (
          <Failure title="The dead letters can not be read" error={tasks.error} onRetry={() => void tasks.refetch()} />
        )}
        {tasks.data && (
          <TaskTable
            tasks={tasks.data.tasks}
            empty={<Nothing title="No dead letters">Everything has been done.</Nothing>}
          />
        )}
      </PageSection>
    </>
  );
}
