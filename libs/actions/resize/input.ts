import type { SchemaValue } from '#libs/domain';
import { inputSchema, uuidPattern } from '../schema.ts';

/** JSON Schema of the parameters. */
export const resizeSchema = inputSchema(['resource_id', 'flavor'], {
  resource_id: { type: 'string', pattern: uuidPattern },
  flavor: { type: 'string' },
});

/** Parameters of `resize`; `flavor` is an id or a name. */
export type ResizeInput = SchemaValue<typeof resizeSchema>;
