import type { Metrics } from '#libs/service-kit';

type Exposition = Awaited<ReturnType<Metrics['expose']>>;

/** How long an exposition serves further clients, in milliseconds: nobody scrapes more often. */
const keptMs = 1000;

/** Makes the exposition once a second at most, however many ask: it takes tens of milliseconds in which nobody else is served. */
export function shareExposition(metrics: Pick<Metrics, 'expose'>): () => Promise<Exposition> {
  let kept: { at: number; exposition: Promise<Exposition> } | null = null;
  return () => {
    const now = performance.now();
    if (kept === null || now - kept.at >= keptMs) {
      const made = { at: now, exposition: metrics.expose() };
      made.exposition.catch(() => {
        if (kept === made) kept = null;
      });
      kept = made;
    }
    return kept.exposition;
  };
}
