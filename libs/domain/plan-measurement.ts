/** Whether the effect of a plan is known, as `outcome.measurement.state` shows it. */
export const measurementStates = {
  /** The cloud is being measured before the first action. */
  measuring: 'MEASURING',
  /** Measured before the first action. The measurement after the end is due. */
  pending: 'PENDING',
  /** Measured before and after, and no other plan changed the same hosts. */
  achieved: 'ACHIEVED',
  /** One of the two is missing, see `reason`. */
  notMeasured: 'NOT_MEASURED',
  /** Measured before and after, but other plans changed the same hosts, see `overlaps`. */
  notAttributable: 'NOT_ATTRIBUTABLE',
} as const;

/** One of `measurementStates`. */
type MeasurementVerdict = (typeof measurementStates)[keyof typeof measurementStates];

/** The verdict on the measurements of a plan, stored in its `outcome`. */
export interface OutcomeMeasurement {
  state: MeasurementVerdict;
  /** Why a value is missing. Null when none is. */
  reason: string | null;
  /**
   * Uuids of other plans that changed the same hosts from one averaging period ahead of the plan to the end of the
   * window after.
   */
  overlaps: string[];
  /** When the measurement after the plan is due, ISO 8601. Null when it is done. */
  dueAt: string | null;
}
