import type { SchemaValue } from '#libs/domain';
import { inputSchema, uuidPattern } from '../schema.ts';

/** JSON Schema of the parameters. */
export const evacuateSchema = inputSchema(['resource_id', 'source_node', 'fenced_by'], {
  resource_id: { type: 'string', pattern: uuidPattern },
  source_node: { type: 'string', minLength: 1 },
  fenced_by: { type: 'string', enum: ['forced_down', 'operator'] },
  destination_node: { type: ['string', 'null'] },
  resource_name: { type: 'string' },
});

/**
 * Parameters of `evacuate`. Without `destination_node` Nova's scheduler chooses. `fenced_by` says who vouches for that the source cannot
 * run its guests any more: Nova's flag `forced_down`, which has to stand still, or an operator. Hosts are names of compute services.
 */
export type EvacuateInput = SchemaValue<typeof evacuateSchema>;
