import type { JsonObject } from '#libs/domain';
import { inputSchema } from '../schema.ts';

/**
 * Parameters of `change_nova_service_state`. `resource_name` is the service host. `up` and `down` are accepted by the
 * schema, as in Watcher, and fail in execution.
 */
export type ServiceStateInput = {
  resource_id: string;
  resource_name?: string;
  state: 'up' | 'down' | 'enabled' | 'disabled';
  disabled_reason?: string;
};

/** JSON Schema of the parameters. */
export const serviceStateSchema: JsonObject = inputSchema(['resource_id', 'state'], {
  resource_id: { type: 'string' },
  resource_name: { type: 'string' },
  state: { type: 'string', enum: ['up', 'down', 'enabled', 'disabled'] },
  disabled_reason: { type: 'string' },
});
