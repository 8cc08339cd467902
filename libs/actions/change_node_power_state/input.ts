import type { JsonObject } from '#libs/domain';
import { inputSchema } from '../schema.ts';

/** Parameters of `change_node_power_state`; `resource_id` is the bare metal node, `resource_name` its compute host. */
export type PowerStateInput = { resource_id: string; resource_name?: string; state: 'on' | 'off' };

/** JSON Schema of the parameters. */
export const powerStateSchema: JsonObject = inputSchema(['resource_id', 'state'], {
  resource_id: { type: 'string' },
  resource_name: { type: 'string' },
  state: { type: 'string', enum: ['on', 'off'] },
});
