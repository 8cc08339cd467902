import type { Clock, JsonObject, Logger } from '#libs/domain';
import type { MessageBus } from '#libs/messaging';
import type { Store } from '#libs/store';

/** The configuration of the built-in tasks. */
export interface TaskSettings {
  actionPlanExpiryHours: number;
  plansKeepSeconds: number;
  plansKeepPerAudit: number;
  outboxKeepSeconds: number;
  changesKeepSeconds: number;
  changesKeepRows: number;
  historyKeepSeconds: number;
  tasksKeepSeconds: number;
  auditLogKeepSeconds: number;
  decisionsKeepSeconds: number;
}

/** Dependencies of the code of tasks. */
export interface HandlerDeps {
  store: Store;
  bus: Pick<MessageBus, 'request'>;
  databaseUrl: string;
  logger: Logger;
  clock: Clock;
  /** Told how many rows of what were removed. */
  onPruned(what: string, count: number): void;
}

/** The number that was given with the request, else the configured one. */
export function numberOr(value: unknown, configured: number): number {
  return typeof value === 'number' ? value : configured;
}

/** How long rows are kept: as requested, otherwise as configured. */
export function keepOf(args: JsonObject, configured: number): number {
  return numberOr(args.keep_seconds, configured);
}
