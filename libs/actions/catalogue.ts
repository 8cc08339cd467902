import type { ActionPlugin } from '#libs/plugin-kit';
import { changeNodePowerState } from './change_node_power_state/change-node-power-state.ts';
import { changeNovaServiceState } from './change_nova_service_state/change-nova-service-state.ts';
import { deleteInstance } from './delete/delete-instance.ts';
import { evacuate } from './evacuate/evacuate.ts';
import { migrate } from './migrate/migrate.ts';
import { nop } from './nop/nop.ts';
import { resize } from './resize/resize.ts';
import { shelveInstance } from './shelve/shelve-instance.ts';
import { sleep } from './sleep/sleep.ts';
import { stop } from './stop/stop.ts';
import { volumeMigrate } from './volume_migrate/volume-migrate.ts';

/** Every built-in action type. A new one needs a folder with its name and a line here. */
export const actionCatalogue: readonly ActionPlugin[] = [
  changeNodePowerState,
  changeNovaServiceState,
  migrate,
  nop,
  resize,
  sleep,
  stop,
  volumeMigrate,
  evacuate,
  deleteInstance,
  shelveInstance,
];
