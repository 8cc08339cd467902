import { Alert, CodeBlock, CodeBlockCode } from '@patternfly/react-core';
import { useMemo } from 'react';
import type { DeadLetter, DeadLetterList } from '../../api/internal-types.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { millisOf, Time } from '../../components/time.tsx';
import { type Dashboard, useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';

const shownAtMost = 500;

/** Messages of the bus that were parked because nobody could carry them out. */
export function ParkedMessages() {
  const { internal } = useDashboard();
  const mayWrite = useMay('internal:write');
  const letters = useStreamQuery<DeadLetterList>(`dead-letters?limit=${shownAtMost}`, ['dead_letters']);
  const { refetch } = letters;
  const columns = useMemo(() => columnsOf({ internal, mayWrite, refetch }), [internal, mayWrite, refetch]);
  if (letters.isPending) return <Loading what="parked messages" />;
  if (!letters.data)
    return <Failure title="The parked messages can not be read" error={letters.error} onRetry={() => void refetch()} />;
  const { dead_letters: rows, count } = letters.data;
  return (
    <>
      {count > rows.length && (
        <Alert isInline variant="info" title={`The newest ${rows.length} of ${count} parked messages`} />
      )}
      <DataTable
        label="Parked messages"
        name="messages"
        rows={rows}
        columns={columns}
        rowKey={(letter) => letter.id}
        sortBy={{ index: 4, direction: 'desc' }}
        empty={<Nothing title="No message is parked">Every message has been carried out.</Nothing>}
      />
    </>
  );
}

interface ColumnDeps {
  internal: Dashboard['internal'];
  mayWrite: boolean;
  refetch: () => Promise<unknown>;
}

function columnsOf({ internal, mayWrite, refetch }: ColumnDeps): Column<DeadLetter>[] {
  const change = async (letter: DeadLetter, action: { method: string; suffix: string }) => {
    await internal(`dead-letters/${encodeURIComponent(letter.id)}${action.suffix}`, { method: action.method });
    await refetch();
  };
  return [
    { title: 'Message', value: (letter) => letter.type, render: (letter) => letter.type ?? 'unknown' },
    { title: 'Queue', value: (letter) => letter.queue, render: (letter) => letter.queue },
    { title: 'Reason', value: (letter) => letter.reason, render: (letter) => letter.reason ?? '–' },
    { title: 'Tries', value: (letter) => letter.attempt, render: (letter) => letter.attempt + 1 },
    { title: 'Parked', value: (letter) => millisOf(letter.dead_at), render: (letter) => <Time at={letter.dead_at} /> },
    {
      title: 'Actions',
      render: (letter) =>
        mayWrite && (
          <span className="vigil-row-line">
            <ConfirmButton
              label="Deliver again"
              title={`Deliver ${letter.type ?? 'this message'} again?`}
              run={() => change(letter, { method: 'POST', suffix: '/redrive' })}
              done="The message is delivered again"
              variant="link"
            >
              <Body letter={letter} />
            </ConfirmButton>
            <ConfirmButton
              label="Discard"
              title={`Discard ${letter.type ?? 'this message'}?`}
              run={() => change(letter, { method: 'DELETE', suffix: '' })}
              done="The message is discarded"
              variant="link"
              isDestructive
            >
              What it asked for is never done. <Body letter={letter} />
            </ConfirmButton>
          </span>
        ),
    },
  ];
}

function Body({ letter }: { letter: DeadLetter }) {
  return (
    <CodeBlock>
      <CodeBlockCode>{JSON.stringify(letter.body, null, 2)}</CodeBlockCode>
    </CodeBlock>
  );
}
