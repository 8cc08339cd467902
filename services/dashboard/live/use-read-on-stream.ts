import { hashKey, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useDashboard } from './dashboard-context.tsx';
import type { LiveKind } from './live-entities.ts';
import { createRefetcher } from './refetcher.ts';

const defaultSettleMs = 200;

/**
 * Reads a query again after the stream brings changes of `kinds`. Changes during a read cause one more read after it.
 * @param settleMs changes within this time in milliseconds cause one read. Default 200
 * @param isCurrent whether the last read includes all changes. Default: unknown, so it is read
 */
export function useReadOnStream(
  queryKey: QueryKey,
  kinds: readonly LiveKind[],
  { settleMs = defaultSettleMs, isCurrent }: { settleMs?: number | undefined; isCurrent?: () => boolean } = {},
): void {
  const { live } = useDashboard();
  const queries = useQueryClient();
  const again = useMemo(() => createRefetcher(queries, queryKey, isCurrent), [queries, live, hashKey(queryKey)]);
  const latest = useRef(again);
  useEffect(() => {
    latest.current = again;
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
      await latest.current.read().catch(() => undefined);
      isRunning = false;
      if (isOutdated) onChange();
    };
    const onChange = () => {
      latest.current.changed();
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
