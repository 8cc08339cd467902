import { readFileSync } from 'node:fs';
import type { Shape } from './shape.ts';

/** Services that have a file in `shapes/`. */
export type ContractService = 'identity' | 'compute' | 'placement' | 'block-storage';

const services: readonly ContractService[] = ['identity', 'compute', 'placement', 'block-storage'];

/** The expected shapes of each service by request, as committed in `shapes/`. */
export function expectedShapes(): Record<ContractService, Record<string, Shape>> {
  const read = (service: ContractService): Record<string, Shape> =>
    JSON.parse(readFileSync(new URL(`./shapes/${service}.json`, import.meta.url), 'utf8'));
  const [identity, compute, placement, blockStorage] = services.map(read);
  return {
    identity: identity ?? {},
    compute: compute ?? {},
    placement: placement ?? {},
    'block-storage': blockStorage ?? {},
  };
}
