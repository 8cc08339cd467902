import type { ContractTarget } from './contract-target.ts';

/** A behaviour of every OpenStack on which Vigil relies. Throws an AssertionError where the cloud differs. */
export interface CloudCheck {
  name: string;
  /** Microversion that Nova must offer. Default: every Nova is checked. */
  needsNova?: string;
  run(target: ContractTarget): Promise<void>;
}
