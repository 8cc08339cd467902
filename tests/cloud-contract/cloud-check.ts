import type { ContractTarget } from './contract-target.ts';

/**
 * One thing that every OpenStack does and Vigil relies on. Throws an AssertionError where the cloud departs from it.
 */
export interface CloudCheck {
  name: string;
  run(target: ContractTarget): Promise<void>;
}
