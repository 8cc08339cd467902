/**
 * Shares work between those who request the same `key`. Whoever comes while it is under way shares the *next* run, so
 * nobody is answered by a run that started before they asked.
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
