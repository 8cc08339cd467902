import type { GateReport } from './dependency.ts';
import type { DependencyWatch } from './dependency-watch.ts';

/** Probes until everything that is required can be used. Never gives up by itself. Null when the signal ended it. */
export async function waitUntilUsable(watch: DependencyWatch, ending: AbortSignal): Promise<GateReport | null> {
  for (;;) {
    const { report } = await watch.round(ending);
    if (ending.aborted) return null;
    if (report.open) return report;
    await watch.pause(ending);
  }
}

/**
 * Probes until something that is required is down, after its retries, also when it is so from the start: somebody
 * has waited for it before. Returns what. Null when the signal ended it.
 */
export async function checkUntilLost(watch: DependencyWatch, ending: AbortSignal): Promise<GateReport | null> {
  for (;;) {
    const { report } = await watch.round(ending, { trusted: true });
    if (ending.aborted) return null;
    if (!report.open) return report;
    await watch.pause(ending);
  }
}
