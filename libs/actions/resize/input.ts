import type { JsonObject } from '#libs/domain';
import { inputSchema, uuidPattern } from '../schema.ts';

/** Parameters of `resize`; `flavor` is an id or a name. */
export type ResizeInput = { resource_id: string; flavor: string };

/** JSON Schema of the parameters. */
export const resizeSchema: JsonObject = inputSchema(['resource_id', 'flavor'], {
  resource_id: { type: 'string', pattern: uuidPattern },
  flavor: { type: 'string' },
});
