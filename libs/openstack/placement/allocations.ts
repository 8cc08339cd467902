import type { FieldReader } from '../service/field-reader.ts';

/** Resources by consumer, as `GET /resource_providers/{uuid}/allocations` gives them. */
export function parseAllocations(answer: FieldReader): Map<string, Record<string, number>> {
  return new Map(
    answer.entries('allocations').map(([consumer, allocation]) => [consumer, allocation.numberMap('resources')]),
  );
}
