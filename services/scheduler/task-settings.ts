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
  notificationsKeepSeconds: number;
  notificationsKeepRows: number;
}

/** Dependencies of task handlers. */
export interface HandlerDeps {
  store: Store;
  bus: Pick<MessageBus, 'request'>;
  databaseUrl: string;
  logger: Logger;
  clock: Clock;
  /** Called with the table and the number of removed rows. */
  onPruned(what: string, count: number): void;
}

/** The number from the request, else from the configuration. */
export function numberOr(value: unknown, configured: number): number {
  return typeof value === 'number' ? value : configured;
}

/** Retention of rows: as requested, otherwise as configured. */
export function keepOf(args: JsonObject, configured: number): number {
  return numberOr(args.keep_seconds, configured);
}
