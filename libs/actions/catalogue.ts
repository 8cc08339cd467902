import type { ActionPlugin } from '#libs/plugin-kit';
import { changeNovaServiceState } from './change_nova_service_state/change-nova-service-state.ts';
import { migrate } from './migrate/migrate.ts';
import { nop } from './nop/nop.ts';
import { sleep } from './sleep/sleep.ts';

/** Every built-in action type. A new one is a folder named like it, and a line here. */
export const actionCatalogue: readonly ActionPlugin[] = [changeNovaServiceState, migrate, nop, sleep];
