import type { CloudCallOptions } from '../call-options.ts';

/** Inventory of one resource class. Its allocatable amount is `(total - reserved) * allocationRatio`. */
export interface Inventory {
  total: number;
  reserved: number;
  allocationRatio: number;
  minUnit: number;
  maxUnit: number;
  stepSize: number;
}

/** A resource provider of Placement. */
export interface ResourceProvider {
  uuid: string;
  name: string;
  generation: number;
  parentUuid: string | null;
}

/**
 * A provider that shares its inventory with the providers in its aggregates, such as shared storage of several hosts.
 */
export interface SharingProvider {
  uuid: string;
  /** Uuids of the providers in its aggregates, possibly including itself. */
  members: string[];
}

/** Placement. */
export interface PlacementPort {
  listResourceProviders(options?: CloudCallOptions): Promise<ResourceProvider[]>;
  /** Providers with the trait MISC_SHARES_VIA_AGGREGATE. Needs 1.18. */
  listSharingProviders(options?: CloudCallOptions): Promise<SharingProvider[]>;
  /** By resource class. Null when the provider is unknown. */
  getInventories(providerUuid: string, options?: CloudCallOptions): Promise<Record<string, Inventory> | null>;
  /** Allocations of all consumers on one provider. Null when it is unknown. */
  getAllocations(providerUuid: string, options?: CloudCallOptions): Promise<Map<string, Record<string, number>> | null>;
  /**
   * Whether providers can serve all groups of a query of `allocation_candidates`, by parameter. Needs 1.33, for
   * groups with names.
   */
  hasCandidates(query: Readonly<Record<string, string>>, options?: CloudCallOptions): Promise<boolean>;
  getTraits(providerUuid: string, options?: CloudCallOptions): Promise<string[]>;
}
