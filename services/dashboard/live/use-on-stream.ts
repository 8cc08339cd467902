import { useEffect, useRef } from 'react';
import { useDashboard } from './dashboard-context.tsx';
import type { LiveKind } from './live-entities.ts';

const defaultSettleMs = 200;

/**
 * Calls `run` after the stream has brought changes of `kinds`. While a call is under way, further changes wait for its end
 * and make one more.
 * @param settleMs changes within this time of each other make one call; default 200
 */
export function useOnStream(kinds: readonly LiveKind[], run: () => Promise<unknown>, settleMs = defaultSettleMs): void {
  const { live } = useDashboard();
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  const names = kinds.join();
  useEffect(() => {
    if (names === '') return;
    const wanted = names.split(',') as LiveKind[];
    for (const kind of wanted) live.want(kind);
    let timer: ReturnType<typeof setTimeout> | null = null;
    let isRunning = false;
    let isOutdated = false;
    const call = async () => {
      timer = null;
      isRunning = true;
      isOutdated = false;
      await latest.current().catch(() => undefined);
      isRunning = false;
      if (isOutdated) onChange();
    };
    const onChange = () => {
      if (isRunning) isOutdated = true;
      else timer ??= setTimeout(() => void call(), settleMs);
    };
    const unsubscribe = live.subscribe(onChange, wanted);
    return () => {
      unsubscribe();
      isOutdated = false;
      if (timer) clearTimeout(timer);
    };
  }, [live, names, settleMs]);
}
