import { UnknownActionTypeError } from '#libs/actions';
import { printable, VigilError, withoutPasswords } from '#libs/domain';

/** Phases of an action as they appear in `status_message`. */
export type ActionPhase = 'pre_condition' | 'execute' | 'post_condition';

/** Longest stored text. It is far above the API's limit, and protects the table from very long errors. */
const longest = 4000;

/** `status_message` texts of plans and actions. Those without a comment are Watcher's, to the letter. */
export const statusMessages = {
  someSkipped: 'One or more actions were skipped.',
  skipped: (reason: string) => shorten(`Action was skipped automatically: ${reason}`),
  failed: (phase: ActionPhase, reason: string) => shorten(`Action failed in ${phase}: ${reason}`),
  executionFailed: (uuid: string) => `The action ${uuid} execution failed.`,
  planCancelledByStop: (host: string) =>
    `Action plan was cancelled because Applier ${host} was stopped while the action plan was ongoing.`,
  actionCancelledByStop: (host: string) =>
    `Action was cancelled because Applier ${host} was stopped while the action plan was ongoing.`,
  /** Vigil's: policy `continue`, when an earlier action did not succeed and the action depends on it. */
  withoutParent: (parent: { uuid: string; state: string }, reason: string) =>
    `action ${parent.uuid} before it is ${parent.state}: ${reason}`,
  /** Vigil's: policies `stop` and `rollback`. */
  notExecuted: (uuid: string) => `Not executed because action ${uuid} failed.`,
  /** Vigil's: the time budget of the plan is used up. */
  planTimeout: (seconds: number) => `Action plan was stopped: timeout after ${seconds}s`,
  /** Vigil's: too many take-overs. */
  abandoned: (takeovers: number) => `Action plan abandoned after ${takeovers} takeovers`,
  /** Vigil's: unknown parents or a cycle. */
  notExecutable: (reason: string) => shorten(`Action plan could not be executed: ${reason}`),
  /** Vigil's: the share of failed actions is too high. */
  tooManyFailed: (failed: number, tried: number) => `Action plan was stopped: ${failed} of ${tried} actions failed`,
  notExecutedAfterFailures: (failed: number, tried: number) =>
    `Not executed because ${failed} of ${tried} actions failed.`,
  /** Vigil's: the plan waits. */
  paused: 'Action plan is paused.',
  waitsForWindow: (opensAt: Date) => `Waiting for the maintenance window, which opens at ${opensAt.toISOString()}`,
  /** Vigil's: Keystone cannot create a credential for the plan now. */
  waitsForCredential: (reason: string) => shorten(`Waiting for the plan's own credential: ${reason}`),
  /** Vigil's: the plan gets no credential. */
  noCredential: (reason: string) => shorten(`Not started: the plan gets no credential: ${reason}`),
  suspendedNoCredential: (reason: string) =>
    shorten(`Held: the plan gets no credential: ${reason}. Correct that, then start or cancel it.`),
  /** Vigil's: hosts changed after the start. */
  stale: (text: string) => shorten(`Superseded before it started: ${text}`),
  /** Vigil's: another plan uses its hosts. */
  waitsForPlan: (held: string) => `Waiting: ${held}`,
  /** Vigil's: the last maintenance window closed before all actions started. */
  windowOver: 'Action plan was stopped: its maintenance window is over',
  /** Vigil's: cancelled with abort. */
  aborted: 'Action was aborted because the action plan was cancelled.',
  /** Vigil's: the outcome of a request is unknown, and the action waits for it. */
  blind: (reason: string) => shorten(`Waiting: the cloud does not show the state of this action (${reason})`),
  suspendedBlind: ({ uuid, actionType }: { uuid: string; actionType: string }, reason: string) =>
    shorten(
      `Held: the cloud did not show the state of action ${uuid} (${actionType}): ${reason}. ` +
        'Check the cloud, then start or cancel it.',
    ),
  /** Vigil's: the plan's own limit. */
  budgetUsedUp: (migrations: number) =>
    `the action plan may start ${migrations} migrations at most, and its step does not fit`,
  /** Vigil's: a user skipped another action of the step. */
  incompleteStep: 'its step is not whole: another migration of it is skipped',
  /** Vigil's: the plan enables a service at its end that it disabled. */
  notEmptied: (servers: number | null) =>
    `Enabled again: the host still has ${servers === null ? 'servers' : `${servers} servers`}`,
  disabledByOthers: 'The service is missing, or another user disabled it since',
  disabledForPlan: 'Enabled again: it was disabled only while the plan ran',
  /** Vigil's: execution rule ANY. */
  alternativeSucceeded: 'a previous alternative action succeeded',
  /** Vigil's: the rollback column of a plan that was cancelled during its run. */
  rollbackStopped: 'Rollback was stopped because the action plan was cancelled.',
} as const;

/**
 * The reason that an error leaves in `status_message`: the text of Vigil's errors, and the class and message of others,
 * such as `TypeError: size is not a function`. Passwords of URLs are left out.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof UnknownActionTypeError) return 'LoadingError';
  if (error instanceof VigilError) return shorten(error.message);
  if (!(error instanceof Error))
    return shorten(`${withoutPasswords(printable(String(error)))} was thrown, not an Error`);
  return shorten(withoutPasswords(printable(error.message === '' ? error.name : `${error.name}: ${error.message}`)));
}

/** Makes a text fit for storage: cuts long texts and drops NUL, which PostgreSQL refuses. */
export function shorten(text: string): string {
  const clean = text.replaceAll('\0', '');
  return clean.length <= longest ? clean : `${clean.slice(0, longest - 1)}…`;
}
