/** Maximum use of each resource in percent of the physical size of a host. */
export interface HotLimits {
  cpu: number;
  /** Limit of measured memory. Absent: no limit. */
  memory?: number;
}

/** Default limit of the CPU load. */
export const usualCpuLimit = 80;

/** Limits by resource. */
export function hotLimitsOf({ hot_limit: given }: { hot_limit: number | Partial<HotLimits> }): HotLimits {
  return typeof given === 'number' ? { cpu: given } : { cpu: usualCpuLimit, ...given };
}
