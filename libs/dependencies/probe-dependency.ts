import { messageOf } from '#libs/domain';
import { startAwakeLimit, untilAborted } from '#libs/service-kit';
import { StoreUnavailableError } from '#libs/store';
import type { Dependency, DependencyNode, DependencyReport, NodeReport } from './dependency.ts';

/** A report, and the errors of the probes of its nodes, in their order. Null where one worked. */
export interface ProbedDependency {
  report: DependencyReport;
  errors: unknown[];
}

/** Uses every node of a dependency once, all at the same time. Never rejects. */
export async function probeDependency(dependency: Dependency, ending?: AbortSignal): Promise<ProbedDependency> {
  const { name, required, timeoutMs } = dependency;
  const probed = await Promise.all(dependency.nodes.map((node) => probeNode(node, timeoutMs, ending)));
  const nodes = probed.map(({ report }) => report);
  return {
    report: { name, required, up: nodes.some(({ up }) => up), nodes },
    errors: probed.map(({ error }) => error),
  };
}

async function probeNode(
  { node, probe }: DependencyNode,
  timeoutMs: number,
  ending: AbortSignal | undefined,
): Promise<{ report: NodeReport; error: unknown }> {
  const begin = performance.now();
  const durationMs = () => Math.round(performance.now() - begin);
  try {
    await withinLimit(probe, timeoutMs, ending);
    return { report: { node, up: true, readable: true, reason: null, durationMs: durationMs() }, error: null };
  } catch (error) {
    const readable = error instanceof StoreUnavailableError && error.readable;
    return { report: { node, up: false, readable, reason: messageOf(error), durationMs: durationMs() }, error };
  }
}

/** The signal requests the probe to end. The caller no longer waits for it in any case. */
async function withinLimit(
  probe: DependencyNode['probe'],
  timeoutMs: number,
  ending: AbortSignal | undefined,
): Promise<void> {
  const limit = new AbortController();
  const endLimit = startAwakeLimit(timeoutMs, () => limit.abort(new Error(`no response within ${timeoutMs / 1000} s`)));
  const signal = ending ? AbortSignal.any([limit.signal, ending]) : limit.signal;
  try {
    await untilAborted(probe(signal), signal);
  } finally {
    endLimit();
  }
}
