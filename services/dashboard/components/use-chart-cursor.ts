import { type KeyboardEvent, useCallback, useRef, useState } from 'react';

/** The value of a chart under the cursor, and its keyboard control. */
export interface ChartCursor {
  /** Null: none. */
  index: number | null;
  /** Sets the pointer position. Null: outside the chart, which keeps the value of the last key. */
  pointTo: (index: number | null) => void;
  /** The value of the last key, for a chart that is drawn again. */
  keyed: () => number | null;
  onKeyDown: (event: KeyboardEvent) => void;
  onBlur: () => void;
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };

/** The value that a key moves to. Null: the key does nothing. The cursor starts at the last value. */
export function indexAfter(key: string, index: number | null, length: number): number | null {
  if (length === 0) return null;
  if (key === 'Home') return 0;
  if (key === 'End') return length - 1;
  const step = steps[key];
  if (step === undefined) return null;
  return Math.min(length - 1, Math.max(0, index === null ? length - 1 : index + step));
}

/**
 * Follows the arrow keys, Page Up and Page Down, Home and End over a chart with so many values. Calls `onMove` with the
 * new value.
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
