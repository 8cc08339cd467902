import { Prose } from './prose.tsx';
import { StateLabel } from './state-label.tsx';
import type { Column } from './table-view.tsx';
import { millisOf, Time } from './time.tsx';

/** A column of times, sorted by time. */
export function timeColumn<Row>(title: string, name: string, at: (row: Row) => string | null | undefined): Column<Row> {
  return { title, name, value: (row) => millisOf(at(row)), render: (row) => <Time at={at(row)} /> };
}

/** A column of states, shown as labels. */
export function stateColumn<Row>(title: string, name: string, stateOf: (row: Row) => string): Column<Row> {
  return { title, name, value: stateOf, render: (row) => <StateLabel state={stateOf(row)} /> };
}

/** A column of API texts, such as reasons and messages. Empty without a text. */
export function proseColumn<Row>(title: string, name: string, textOf: (row: Row) => string | null): Column<Row> {
  return {
    title,
    name,
    value: textOf,
    render: (row) => {
      const prose = textOf(row);
      return prose && <Prose text={prose} />;
    },
  };
}
