import type { SchemaValue } from '#libs/domain';
import { inputSchema } from '../schema.ts';

/** JSON Schema of the parameters. */
export const powerStateSchema = inputSchema(['resource_id', 'state'], {
  resource_id: { type: 'string' },
  resource_name: { type: 'string' },
  state: { type: 'string', enum: ['on', 'off'] },
});

/** Parameters of `change_node_power_state`; `resource_id` is the bare metal node, `resource_name` its compute host. */
export type PowerStateInput = SchemaValue<typeof powerStateSchema>;
