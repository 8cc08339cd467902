import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import type { ReactNode } from 'react';
import { areNumbers, numberCell } from '../../components/number-cells.ts';
import { TitledCard } from '../../components/titled-card.tsx';

interface SmallTableProps {
  title: string;
  columns: readonly string[];
  /** Cells by column. The first one names its row. */
  rows: readonly (readonly ReactNode[])[];
  /** Below the table. */
  children?: ReactNode;
}

/** A card with a table of few rows, without search and paging. Nothing without rows. */
export function SmallTable({ title, columns, rows, children }: SmallTableProps) {
  if (rows.length === 0) return null;
  const alignments = columns.map((_column, at) => numberCell(at > 0 && areNumbers(rows.map((cells) => cells[at]))));
  return (
    <TitledCard isFullHeight title={title}>
      <div className="vigil-scroll" data-testid="table-box">
        <Table aria-label={title} variant="compact">
          <Thead>
            <Tr>
              {columns.map((column, at) => (
                <Th key={column} modifier="wrap" {...alignments[at]}>
                  {column}
                </Th>
              ))}
            </Tr>
          </Thead>
          <Tbody>
            {rows.map((cells, row) => (
              <Tr key={row}>
                {cells.map((cell, at) => (
                  <Td key={columns[at]} dataLabel={columns[at] ?? ''} {...alignments[at]}>
                    {at === 0 ? <span className="vigil-whole-words">{cell ?? '–'}</span> : (cell ?? '–')}
                  </Td>
                ))}
              </Tr>
            ))}
          </Tbody>
        </Table>
      </div>
      {children}
    </TitledCard>
  );
}
