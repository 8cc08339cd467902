import type { JsonObject } from '#libs/domain';
import type { Session } from '../session/session.ts';

/** `before`: before the first action of a plan; `after`: after its end. */
export type MeasurementPhase = 'before' | 'after';

/** `DUE`: nothing is stored yet; `NOT_MEASURED`: closed without a value, see `reason`. */
export type MeasurementState = 'DUE' | 'MEASURED' | 'NOT_MEASURED';

/** One measurement of one plan. */
export interface PlanMeasurement {
  planId: number;
  planUuid: string;
  phase: MeasurementPhase;
  state: MeasurementState;
  /** For `after`: the end of the plan. */
  requestedAt: Date;
  /** The measured window does not start earlier. */
  notBefore: Date;
  /** Earliest time of the measurement. */
  dueAt: Date;
  /** Deadline for storing it. */
  deadline: Date;
  /** Whether the deadline had passed when the row was read. */
  isLate: boolean;
  /** Number of attempts so far. */
  attempts: number;
  /** Time over which metrics were averaged. Null until it is measured. */
  windowStart: Date | null;
  windowEnd: Date | null;
  reason: string | null;
  endedAt: Date | null;
}

/** Time over which metrics are averaged. */
export interface MeasuredWindow {
  start: Date;
  end: Date;
}

/** Measurements before and after plans. All times are the database's. */
export interface PlanMeasurements {
  find(planId: number, phase: MeasurementPhase): Promise<PlanMeasurement | null>;
  /**
   * Makes a measurement due after `delayMs`. It is refused `limitMs` after that. An existing one stays unchanged,
   * unless it has ended and `again` is set.
   */
  request(
    planId: number,
    phase: MeasurementPhase,
    options: { limitMs: number; delayMs?: number; again?: boolean },
  ): Promise<PlanMeasurement>;
  /** Takes the measurement that has been due longest, for `leaseMs`; null when none is due. */
  takeDue(phase: MeasurementPhase, leaseMs: number): Promise<PlanMeasurement | null>;
  /** Postpones a measurement that is still DUE. */
  putOff(planId: number, phase: MeasurementPhase, dueAt: Date): Promise<void>;
  /**
   * DUE → MEASURED. Refused (false) when the measurement has ended, after its deadline, and for `before` as soon as an
   * action of the plan has started.
   */
  complete(planId: number, phase: MeasurementPhase, window: MeasuredWindow): Promise<boolean>;
  /** DUE → NOT_MEASURED. False when the measurement has ended. */
  close(planId: number, phase: MeasurementPhase, reason: string): Promise<boolean>;
  /** Merges `patch` into the outcome of a plan, one writer at a time. */
  note(planUuid: string, patch: JsonObject): Promise<void>;
}

const columns = `measured.plan_id::float8 AS "planId", plans.uuid AS "planUuid", measured.phase, measured.state,
  measured.requested_at AS "requestedAt", measured.not_before AS "notBefore", measured.due_at AS "dueAt", measured.deadline, measured.deadline <= clock_timestamp() AS "isLate", measured.attempts,
  measured.window_start AS "windowStart", measured.window_end AS "windowEnd", measured.reason,
  measured.ended_at AS "endedAt"`;

const later = (place: string) => `clock_timestamp() + ${place}::double precision * interval '1 millisecond'`;

const noActionStarted = `NOT EXISTS (SELECT 1 FROM actions
  WHERE actions.action_plan_id = measured.plan_id AND actions.deleted = 0 AND actions.started_at IS NOT NULL)`;

/** Reads and writes them, working through `session`. */
export function createPlanMeasurements(session: Session): PlanMeasurements {
  async function find(planId: number, phase: MeasurementPhase): Promise<PlanMeasurement | null> {
    const rows = await session.read((manager) =>
      manager.query<PlanMeasurement[]>(
        `SELECT ${columns} FROM plan_measurements AS measured JOIN action_plans AS plans ON plans.id = measured.plan_id
         WHERE measured.plan_id = $1 AND measured.phase = $2`,
        [planId, phase],
      ),
    );
    return rows[0] ?? null;
  }

  async function end(statement: string, values: unknown[]): Promise<boolean> {
    const [, count] = await session.writeOnce((manager) => manager.query<[unknown[], number]>(statement, values));
    return count > 0;
  }

  return {
    find,
    async request(planId, phase, { limitMs, delayMs = 0, again = false }) {
      await session.writeOnce((manager) =>
        manager.query(
          `INSERT INTO plan_measurements AS measured (plan_id, phase, requested_at, not_before, due_at, deadline)
           VALUES ($1, $2, clock_timestamp(), ${later('$3')}, ${later('$3')}, ${later('$4')})
           ON CONFLICT (plan_id, phase) DO UPDATE SET state = 'DUE', requested_at = excluded.requested_at,
             not_before = excluded.not_before, due_at = excluded.due_at, deadline = excluded.deadline, attempts = 0, window_start = NULL,
             window_end = NULL, reason = NULL, ended_at = NULL
           WHERE $5 AND measured.state <> 'DUE'`,
          [planId, phase, delayMs, delayMs + limitMs, again],
        ),
      );
      const row = await find(planId, phase);
      if (!row) throw new TypeError(`no measurement ${phase} of plan ${planId} right after its request`);
      return row;
    },

    async takeDue(phase, leaseMs) {
      const rows = await session.writeOnce(async (manager) => {
        const [taken] = await manager.query<[PlanMeasurement[], number]>(
          `UPDATE plan_measurements AS measured SET due_at = ${later('$2')}, attempts = measured.attempts + 1
           FROM action_plans AS plans
           WHERE plans.id = measured.plan_id AND (measured.plan_id, measured.phase) IN (
             SELECT plan_id, phase FROM plan_measurements
             WHERE state = 'DUE' AND phase = $1 AND due_at <= clock_timestamp()
             ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
           RETURNING ${columns}`,
          [phase, leaseMs],
        );
        return taken;
      });
      return rows[0] ?? null;
    },

    async putOff(planId, phase, dueAt) {
      await end(`UPDATE plan_measurements SET due_at = $3 WHERE plan_id = $1 AND phase = $2 AND state = 'DUE'`, [
        planId,
        phase,
        dueAt,
      ]);
    },

    complete: (planId, phase, window) =>
      end(
        `UPDATE plan_measurements AS measured
         SET state = 'MEASURED', window_start = $3, window_end = $4, ended_at = clock_timestamp()
         WHERE plan_id = $1 AND phase = $2 AND state = 'DUE' AND deadline > clock_timestamp()
           AND (phase = 'after' OR ${noActionStarted})`,
        [planId, phase, window.start, window.end],
      ),

    close: (planId, phase, reason) =>
      end(
        `UPDATE plan_measurements SET state = 'NOT_MEASURED', reason = $3, ended_at = clock_timestamp()
         WHERE plan_id = $1 AND phase = $2 AND state = 'DUE'`,
        [planId, phase, reason],
      ),

    note: (planUuid, patch) =>
      session.write(async (manager) => {
        await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`vigil:outcome:${planUuid}`]);
        await manager.query(
          `UPDATE action_plans SET outcome = coalesce(outcome, '{}') || $2::jsonb WHERE uuid = $1 AND deleted = 0`,
          [planUuid, JSON.stringify(patch)],
        );
      }),
  };
}
