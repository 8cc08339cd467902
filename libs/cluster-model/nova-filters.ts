/**
 * Filters of Nova's scheduler that a cloud may have disabled, or does not enable by default. No API reports which are
 * enabled.
 */
export const novaFilters = [
  /** Compares extra specs of the flavor with properties of the hypervisor. Enabled by default. */
  'ComputeCapabilitiesFilter',
  /** Reads the hint `different_host`. */
  'DifferentHostFilter',
  /** Reads the hint `same_host`. */
  'SameHostFilter',
  /** Reads the hint `query`. */
  'JsonFilter',
  /** Reads the hint `build_near_host_ip`. */
  'SimpleCIDRAffinityFilter',
] as const;
export type NovaFilter = (typeof novaFilters)[number];

/** Whether a filter counts. @param enabled names of enabled filters, default all */
export function isEnabled(filter: NovaFilter, enabled: readonly NovaFilter[] = novaFilters): boolean {
  return enabled.includes(filter);
}
