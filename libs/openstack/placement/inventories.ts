import type { FieldReader } from '../service/field-reader.ts';
import type { Inventory } from './types.ts';

/** Inventories by resource class, as `GET /resource_providers/{uuid}/inventories` gives them. */
export function parseInventories(answer: FieldReader): Record<string, Inventory> {
  return Object.fromEntries(answer.entries('inventories').map(([name, fields]) => [name, parseInventory(fields)]));
}

function parseInventory(fields: FieldReader): Inventory {
  const total = fields.number('total');
  return {
    total,
    reserved: fields.numberOr('reserved', 0),
    allocationRatio: fields.numberOr('allocation_ratio', 1),
    minUnit: fields.numberOr('min_unit', 1),
    maxUnit: fields.numberOr('max_unit', total),
    stepSize: fields.numberOr('step_size', 1),
  };
}
