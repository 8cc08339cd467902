import { type KeyboardEvent, useCallback, useRef, useState } from 'react';

/** Which value of a chart is read, and how it is chosen by keyboard. */
export interface ChartCursor {
  /** Null: none. */
  index: number | null;
  /** Tells where the pointer is. Null: nowhere on the chart, which takes nothing from what the keys have chosen. */
  pointTo: (index: number | null) => void;
  /** The value that the keys have chosen last, for a chart that is drawn anew. */
  keyed: () => number | null;
  onKeyDown: (event: KeyboardEvent) => void;
  onBlur: () => void;
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };

/** The value that a key goes to. Null: the key goes nowhere. Who starts is at the last value. */
export function indexAfter(key: string, index: number | null, length: number): number | null {
  if (length === 0) return null;
  if (key === 'Home') return 0;
  if (key === 'End') return length - 1;
  const step = steps[key];
  if (step === undefined) return null;
  return Math.min(length - 1, Math.max(0, index === null ? length - 1 : index + step));
}

/**
 * Follows the arrow keys, Page Up and Page Down, Home and End over a chart of so many values. `onMove` is told where
 * they go.
 */
export function useChartCursor(length: number, onMove?: (index: number) => void): ChartCursor {
  const [chosen, setIndex] = useState<number | null>(null);
  const keyed = useRef<number | null>(null);
  const index = chosen !== null && chosen < length ? chosen : null;
  const pointTo = useCallback((pointed: number | null) => {
    if (pointed !== null && pointed !== keyed.current) keyed.current = null;
    setIndex(pointed ?? keyed.current);
  }, []);
  return {
    index,
    pointTo,
    keyed: useCallback(() => keyed.current, []),
    onKeyDown: (event) => {
      const next = indexAfter(event.key, index, length);
      if (next === null) return;
      event.preventDefault();
      keyed.current = next;
      setIndex(next);
      onMove?.(next);
    },
    onBlur() {
      keyed.current = null;
      setIndex(null);
    },
  };
}
