import { type JsonObject, type JsonValue, type NotificationKind, printable } from '#libs/domain';

/** An event as its notifications show it. */
export interface NotifiedEvent {
  kind: NotificationKind;
  subject: string;
  data: JsonObject;
}

/** Longest reason in a sentence. The data has all of it. */
const maxReason = 300;

/** The event in one readable line. */
export function notificationText({ kind, subject, data }: NotifiedEvent): string {
  const plan = objectOf(data.plan);
  const audit = objectOf(plan.audit).name;
  const name = `Plan ${subject}${typeof audit === 'string' ? ` of audit ${audit}` : ''}`;
  return printable(sentences[kind]({ name, plan, subject, data }));
}

interface Facts {
  name: string;
  plan: JsonObject;
  subject: string;
  data: JsonObject;
}

const sentences: Readonly<Record<NotificationKind, (facts: Facts) => string>> = {
  'plan.recommended': ({ name, plan }) => `${name} is recommended: ${actionsOf(plan)} for goal ${String(plan.goal)}`,
  'plan.approval_wanted': ({ name, plan, data }) => `${name} waits for approval: ${actionsOf(plan)}${why(data.reason)}`,
  'plan.started': ({ name, plan }) => `${name} has started: ${actionsOf(plan)}`,
  'plan.failed': ({ name, plan }) =>
    `${name} has failed: ${String(plan.failed_actions ?? 0)} of ${actionsOf(plan)} failed${why(plan.status_message)}`,
  'plan.ended': ({ name, plan }) => `${name} has ended: ${String(plan.state)}${why(plan.status_message)}`,
  'plan.promise_not_kept': ({ name, data }) => `${name} did not keep its promises: ${promisesOf(data.promises)}`,
  'machine.slow': ({ subject, data }) => `The machine of Vigil on host ${subject} is slow: ${lateOf(data.late)}`,
  'target.test': ({ data }) => `Test of notification target ${String(data.target)}`,
};

function actionsOf({ actions }: JsonObject): string {
  return actions === 1 ? '1 action' : `${String(actions ?? 0)} actions`;
}

function why(reason: JsonValue | undefined): string {
  if (typeof reason !== 'string' || reason === '') return '';
  return `; ${reason.length > maxReason ? `${reason.slice(0, maxReason)}…` : reason}`;
}

function promisesOf(promises: JsonValue | undefined): string {
  const rows = Array.isArray(promises) ? promises.map(objectOf) : [];
  return rows
    .map(({ quantity, achieved, low, high }) =>
      [`${String(quantity)} is ${String(achieved)}`, `promised ${String(low)} to ${String(high)}`].join(', '),
    )
    .join('; ');
}

function lateOf(late: JsonValue | undefined): string {
  return Object.entries(objectOf(late))
    .map(([party, detail]) => `${party} (${String(detail)})`)
    .join(', ');
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
