/**
 * Shares work between concurrent callers with the same `key`. A caller during a run shares the *next* run, so that no
 * result is older than its request.
 */
export function createSharedRuns<T>() {
  const runs = new Map<string, { current: Promise<T>; next: Promise<T> | null }>();

  function start(key: string, work: () => Promise<T>): Promise<T> {
    const entry = { current: work(), next: null as Promise<T> | null };
    runs.set(key, entry);
    const end = () => {
      if (entry.next === null) runs.delete(key);
    };
    entry.current.then(end, end);
    return entry.current;
  }

  return (key: string, work: () => Promise<T>): Promise<T> => {
    const running = runs.get(key);
    if (!running) return start(key, work);
    const startNext = () => start(key, work);
    running.next ??= running.current.then(startNext, startNext);
    return running.next;
  };
}
