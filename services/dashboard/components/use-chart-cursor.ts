import { type KeyboardEvent, useState } from 'react';

/** Which value of a chart is read, and how it is chosen by keyboard. */
export interface ChartCursor {
  /** Null: none. */
  index: number | null;
  setIndex: (index: number | null) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onBlur: () => void;
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };

/** The value that a key goes to; null: the key goes nowhere. Who begins is at the last value. */
export function indexAfter(key: string, index: number | null, length: number): number | null {
  if (length === 0) return null;
  if (key === 'Home') return 0;
  if (key === 'End') return length - 1;
  const step = steps[key];
  if (step === undefined) return null;
  return Math.min(length - 1, Math.max(0, index === null ? length - 1 : index + step));
}

/** Follows the arrow keys, Page Up and Page Down, Home and End over a chart of so many values; `onMove` is told where they go. */
export function useChartCursor(length: number, onMove?: (index: number) => void): ChartCursor {
  const [chosen, setIndex] = useState<number | null>(null);
  const index = chosen !== null && chosen < length ? chosen : null;
  return {
    index,
    setIndex,
    onKeyDown: (event) => {
      const next = indexAfter(event.key, index, length);
      if (next === null) return;
      event.preventDefault();
      setIndex(next);
      onMove?.(next);
    },
    onBlur: () => setIndex(null),
  };
}
