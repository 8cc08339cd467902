/** Verdict on the measurements of a plan, as `outcome.measurement` of the API. */
export interface PlanMeasurement {
  /** `MEASURING` and `PENDING`: no verdict yet. */
  state: 'MEASURING' | 'PENDING' | 'ACHIEVED' | 'NOT_MEASURED' | 'NOT_ATTRIBUTABLE';
  /** Why a value is missing. */
  reason?: string | null;
  /** Uuids of plans that changed the same hosts at the same time. */
  overlaps?: readonly string[];
  /** When the measurement after the plan is due, ISO 8601. */
  due_at?: string | null;
}

/** The effect of a plan in a few words. Null for a plan that has not run. */
export function effectText(measurement: PlanMeasurement | null | undefined): string | null {
  switch (measurement?.state) {
    case 'MEASURING':
      return 'Measuring before the first action';
    case 'PENDING':
      return measurement.due_at ? `Will be measured at ${measurement.due_at}` : 'Will be measured after the plan';
    case 'ACHIEVED':
      return 'Measured';
    case 'NOT_MEASURED':
      return `Not measured: ${measurement.reason ?? 'no reason'}`;
    case 'NOT_ATTRIBUTABLE':
      return `Not attributable: overlapped with plan ${(measurement.overlaps ?? []).join(', ')}`;
    default:
      return null;
  }
}
