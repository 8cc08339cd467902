import { useEffect, useRef } from 'react';
import { useDashboard } from '../api/dashboard-context.tsx';

/** Shortest time between two calls, and the pause after a change, so that a burst makes one. */
const pauseMs = 5000;
const settleMs = 200;

/** Calls `run` after the stream has brought changes, as long as `enabled`. */
export function useOnStream(run: () => void, enabled = true): void {
  const { live } = useDashboard();
  const latest = useRef(run);
  const lastAt = useRef(0);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!enabled) return;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const unsubscribe = live.subscribe(() => {
      timer ??= setTimeout(
        () => {
          timer = null;
          lastAt.current = Date.now();
          latest.current();
        },
        Math.max(settleMs, lastAt.current + pauseMs - Date.now()),
      );
    });
    return () => {
      unsubscribe();
      if (timer) clearTimeout(timer);
    };
  }, [live, enabled]);
}
