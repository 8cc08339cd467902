import { ToolbarItem } from '@patternfly/react-core';
import { useState } from 'react';
import { text } from '../texts/texts.ts';
import { ConfirmButton } from './confirm-button.tsx';
import type { Selection } from './table-view.tsx';

/** Requests in progress at the same time. */
const concurrency = 4;

/** Selected rows, including those on other pages. */
export interface Bulk<Row> {
  chosen: ReadonlyMap<string, Row>;
  selection: (rows: readonly Row[]) => Selection<Row>;
  clear: () => void;
}

/** Holds the selection of a paged list. */
export function useBulk<Row>(rowKey: (row: Row) => string, nameOf: (row: Row) => string): Bulk<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map());
  return {
    chosen,
    clear: () => setChosen(new Map()),
    selection: (rows) => ({
      chosen: new Set(chosen.keys()),
      canChoose: () => true,
      nameOf,
      onChange: (keys) => {
        const known = new Map([...chosen, ...rows.map((row) => [rowKey(row), row] as const)]);
        setChosen(new Map([...keys].flatMap((key) => (known.has(key) ? [[key, known.get(key) as Row] as const] : []))));
      },
    }),
  };
}

interface BulkButtonProps<Row> {
  bulk: Bulk<Row>;
  /** Such as `Delete`. */
  label: string;
  /** Such as `plans`. */
  what: (count: number) => string;
  /** Selected rows to which the action applies. */
  fits: (row: Row) => boolean;
  run: (key: string) => Promise<unknown>;
  children: string;
}

/** Runs an action on all selected rows to which it applies, and shows their number. */
export function BulkButton<Row>({ bulk, label, what, fits, run, children }: BulkButtonProps<Row>) {
  const keys = [...bulk.chosen].filter(([, row]) => fits(row)).map(([key]) => key);
  if (bulk.chosen.size === 0) return null;
  const all = async () => {
    const failed: unknown[] = [];
    const waiting = [...keys];
    const work = async () => {
      for (let key = waiting.shift(); key !== undefined; key = waiting.shift())
        await run(key).catch((error: unknown) => failed.push(error));
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    bulk.clear();
    if (failed.length > 0)
      throw new Error(
        text('bulk.failed', {
          failed: failed.length,
          count: keys.length,
          reason: failed[0] instanceof Error ? failed[0].message : String(failed[0]),
        }),
      );
  };
  return (
    <ToolbarItem>
      <ConfirmButton
        label={text('bulk.label', { label, count: keys.length })}
        title={text('bulk.title', { label, count: keys.length, what: what(keys.length) })}
        run={all}
        done={text('bulk.done', { label, count: keys.length, what: what(keys.length) })}
        variant="danger"
        isDisabled={keys.length === 0}
      >
        {children}
      </ConfirmButton>
    </ToolbarItem>
  );
}
