import type { GateReport } from './dependency.ts';
import type { DependencyWatch } from './dependency-watch.ts';

/** Probes until all required dependencies are available, without a limit. Null when the signal ended it. */
export async function waitUntilUsable(watch: DependencyWatch, ending: AbortSignal): Promise<GateReport | null> {
  for (;;) {
    const { report } = await watch.round(ending);
    if (ending.aborted) return null;
    if (report.open) return report;
    await watch.pause(ending);
  }
}

/**
 * Probes until a required dependency is down, after its retries, also when it is down from the start: an earlier wait
 * has seen it up. Returns that dependency. Null when the signal ended it.
 */
export async function checkUntilLost(watch: DependencyWatch, ending: AbortSignal): Promise<GateReport | null> {
  for (;;) {
    const { report } = await watch.round(ending, { trusted: true });
    if (ending.aborted) return null;
    if (!report.open) return report;
    await watch.pause(ending);
  }
}
