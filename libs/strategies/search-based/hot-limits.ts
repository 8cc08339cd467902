/** Percent of the physical size of a host to which each resource is used at most. */
export interface HotLimits {
  cpu: number;
  /** Of measured memory. Absent: it has no such limit. */
  memory?: number;
}

/** Limit of CPU load where none is given. */
export const usualCpuLimit = 80;

/** Limits by resource. */
export function hotLimitsOf({ hot_limit: given }: { hot_limit: number | Partial<HotLimits> }): HotLimits {
  return typeof given === 'number' ? { cpu: given } : { cpu: usualCpuLimit, ...given };
}
