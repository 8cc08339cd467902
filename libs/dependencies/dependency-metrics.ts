import type { Metrics } from '#libs/service-kit';
import type { DependencyReport } from './dependency.ts';

/** Measurements of a watch. */
export interface DependencyMetrics {
  probed(report: DependencyReport): void;
  /** Whether the dependency counts as up, after its retries. */
  judged(report: DependencyReport): void;
  gate(open: boolean): void;
  /** The gate has opened or closed. */
  moved(open: boolean): void;
}

const probeBuckets = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 3, 5];

/**
 * Without `metrics` nothing is measured. The label `node` is the number of a node in the configuration: readers of
 * `/metrics` may be anonymous and do not see addresses.
 */
export function createDependencyMetrics(metrics?: Metrics): DependencyMetrics {
  const up = metrics?.gauge('vigil_dependency_up', '1 while a node can be used', ['name', 'node']);
  const usable = metrics?.gauge('vigil_dependency_usable', '1 while a dependency counts as up', ['name']);
  const seconds = metrics?.histogram(
    'vigil_dependency_probe_seconds',
    'Time that using a node took',
    ['name', 'node'],
    probeBuckets,
  );
  const open = metrics?.gauge('vigil_gate_open', '1 while everything that the process needs can be used');
  const transitions = metrics?.counter('vigil_gate_transitions_total', 'How often the gate opened or closed', ['to']);
  return {
    probed({ name, nodes }) {
      for (const [index, { up: isUp, durationMs }] of nodes.entries()) {
        const labels = { name, node: index + 1 };
        up?.set(labels, isUp ? 1 : 0);
        seconds?.observe(labels, durationMs / 1000);
      }
    },
    judged: ({ name, up: isUp }) => usable?.set({ name }, isUp ? 1 : 0),
    gate: (isOpen) => open?.set(isOpen ? 1 : 0),
    moved: (isOpen) => transitions?.inc({ to: isOpen ? 'open' : 'closed' }),
  };
}
