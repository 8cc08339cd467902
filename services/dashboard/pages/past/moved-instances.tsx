import type { ClusterPast } from '#libs/client';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { HostLink, InstanceLink } from '../../components/links.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { text } from '../../texts/texts.ts';

type Moved = ClusterPast['moved_instances'][number];

/** The instances that are on different hosts at the two moments. Renders nothing without any. */
export function MovedInstances({ past: { moved_instances: moved, instances } }: { past: ClusterPast }) {
  if (moved.length === 0) return null;
  const columns: Column<Moved>[] = [
    {
      title: text('column.instance'),
      name: 'instance',
      value: ({ name }) => name,
      render: ({ uuid, name }) => <InstanceLink uuid={uuid} name={name} />,
    },
    host('from', text('past.from')),
    host('to', text('past.to')),
  ];
  const isPart = moved.length < instances.moved;
  return (
    <TitledCard title={text('past.movedInstances')}>
      {isPart && <p>{text('past.movedPart', { shown: moved.length, total: instances.moved })}</p>}
      <DataTable
        label={text('past.movedInstances')}
        name="moved"
        rows={moved}
        columns={columns}
        rowKey={({ uuid }) => uuid}
        perPage={10}
      />
    </TitledCard>
  );
}

function host(name: 'from' | 'to', title: string): Column<Moved> {
  return {
    ...{ title, name, isWhole: true, value: (row) => row[name] },
    render: (row) => <HostLink hostname={row[name]} />,
  };
}
