/** A step of a graph. */
export interface GraphStep {
  uuid: string;
  /** Uuids of the steps that end before this one starts. */
  parents: readonly string[];
}

/**
 * Starts and ends steps in a random order that the graph allows, several at a time as in the applier.
 * @param start starts a step, and returns the function that ends it
 * @param choose a whole number from 0 to below `count`
 * @returns the steps that never start, since the graph has a circle
 */
export function playGraph<Step extends GraphStep>(
  steps: readonly Step[],
  { start, choose }: { start(step: Step): () => void; choose(count: number): number },
): Step[] {
  const done = new Set<string>();
  const running: { uuid: string; end: () => void }[] = [];
  const waiting = [...steps];
  while (waiting.length + running.length > 0) {
    const ready = waiting.filter(({ parents }) => parents.every((parent) => done.has(parent)));
    if (ready.length + running.length === 0) break;
    const choice = choose(ready.length + running.length);
    const starts = ready[choice];
    if (starts !== undefined) {
      waiting.splice(waiting.indexOf(starts), 1);
      running.push({ uuid: starts.uuid, end: start(starts) });
      continue;
    }
    const [ended] = running.splice(choice - ready.length, 1);
    ended?.end();
    done.add(ended?.uuid ?? '');
  }
  return waiting;
}
