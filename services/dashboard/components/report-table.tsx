import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import type { ReactNode } from 'react';
import { text } from '../texts/texts.ts';
import { areNumbers, numberCell } from './number-cells.ts';

/** Rows that a report shows at most. Others appear as a number. */
export const mostRows = 500;

interface ReportTableProps {
  label: string;
  titles: readonly string[];
  /** Cells of each row, with its key. */
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

/** A table without paging, search and sorting, so that paper shows all of it. */
export function ReportTable({ label, titles, rows }: ReportTableProps) {
  const hidden = rows.length - mostRows;
  const alignments = titles.map((_title, at) => numberCell(areNumbers(rows.map(({ cells }) => cells[at]))));
  return (
    <div className="vigil-scroll">
      <Table aria-label={label} variant="compact">
        <Thead>
          <Tr>
            {titles.map((title, at) => (
              <Th key={title} modifier="wrap" {...alignments[at]}>
                {title}
              </Th>
            ))}
          </Tr>
        </Thead>
        <Tbody>
          {rows.slice(0, mostRows).map(({ key, cells }) => (
            <Tr key={key}>
              {titles.map((title, place) => (
                <Td key={title} dataLabel={title} {...alignments[place]}>
                  {cells[place]}
                </Td>
              ))}
            </Tr>
          ))}
        </Tbody>
      </Table>
      {hidden > 0 && <p>{text('planReport.more', { count: hidden })}</p>}
    </div>
  );
}
