import type { Weighting } from '#libs/plugin-kit';

/** Watcher's weights; heavier types run first. */
export const defaultWeighting: Readonly<Record<string, Weighting>> = {
  nop: { weight: 70, parallelization: 1 },
  volume_migrate: { weight: 60, parallelization: 2 },
  change_nova_service_state: { weight: 50, parallelization: 1 },
  sleep: { weight: 40, parallelization: 1 },
  stop: { weight: 35, parallelization: 2 },
  evacuate: { weight: 32, parallelization: 2 },
  migrate: { weight: 30, parallelization: 2 },
  resize: { weight: 20, parallelization: 2 },
  change_node_power_state: { weight: 9, parallelization: 2 },
};
