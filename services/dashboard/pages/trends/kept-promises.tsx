import type { TrendPromise } from '../../api/find-types.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useDisplayNames } from '../../components/display-names.tsx';
import { text } from '../../texts/texts.ts';

const measuredOf = ({ within, below, above }: TrendPromise) => within + below + above;

/** Number of kept promises among the measured plans, by strategy and promised quantity. */
export function KeptPromises({ promises }: { promises: readonly TrendPromise[] }) {
  const displayName = useDisplayNames();
  const columns: Column<TrendPromise>[] = [
    { title: text('column.strategy'), name: 'strategy', value: (row) => displayName(row.strategy_name) },
    { title: text('promise.promise'), name: 'promise', value: (row) => text(`promise.${row.quantity}`) },
    {
      title: text('promise.verdict.WITHIN'),
      name: 'within',
      value: (row) => (measuredOf(row) === 0 ? -1 : row.within / measuredOf(row)),
      render: (row) =>
        measuredOf(row) === 0 ? '–' : text('promise.kept', { within: row.within, measured: measuredOf(row) }),
    },
    { title: text('promise.verdict.BELOW'), name: 'below', value: (row) => row.below },
    { title: text('promise.verdict.ABOVE'), name: 'above', value: (row) => row.above },
    { title: text('promise.verdict.NOT_MEASURED'), name: 'not-measured', value: (row) => row.not_measured },
    { title: text('promise.verdict.NOT_ATTRIBUTABLE'), name: 'not-attributable', value: (row) => row.not_attributable },
  ];
  return (
    <DataTable
      label={text('promise.title')}
      name="promises"
      rows={promises}
      columns={columns}
      rowKey={(row) => `${row.strategy_name} ${row.quantity}`}
      sortBy={{ index: 0, direction: 'asc' }}
      perPage={10}
      empty={<p className="vigil-subtle">{text('promise.none')}</p>}
    />
  );
}
