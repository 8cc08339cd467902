import { type AlertLimitReport, type ComputeSnapshot, limitToAlerts } from '#libs/cluster-model';
import type { AlertScope } from '#libs/domain';
import type { ModelName } from '#libs/plugin-kit';
import { AuditRefusedError } from './errors.ts';

/** Most alert names in a note. */
const namesAtMost = 5;

/** The part of the scope in the alerts of a run, with notes for the report. Null: the whole scope. */
export function withinAlerts(
  snapshot: ComputeSnapshot,
  scope: AlertScope,
): { snapshot: ComputeSnapshot; notes: string[] } {
  if (scope === null) return { snapshot, notes: [] };
  const limited = limitToAlerts(snapshot, scope);
  return { snapshot: limited.snapshot, notes: notesOn(scope, limited.report) };
}

function notesOn(scope: NonNullable<AlertScope>, { selected, hostsRemoved, unknown }: AlertLimitReport): string[] {
  const names = scope.map((selection) =>
    Object.entries(selection)
      .map((part) => part.join(' '))
      .join(' with '),
  );
  const more = names.length > namesAtMost ? ` and ${names.length - namesAtMost} more` : '';
  const hosts = hostsRemoved > 0 ? `; ${hostsRemoved} hosts are left out` : '';
  return [
    `alerts limit the run to ${names.slice(0, namesAtMost).join(', ')}${more}: ${selected} instances may move${hosts}`,
    ...unknown.map((name) => `alerts name ${name}, which is not in the scope`),
  ];
}

/**
 * The limit of a run by alerts. Labels cannot name volumes, pools and bare metal nodes, so a limited run must not
 * change these.
 * @param scope default null, no limit
 * @throws AuditRefusedError for a limited run that reads another model than compute
 */
export function limitFor(strategy: string, models: readonly ModelName[], scope: AlertScope = null): AlertScope {
  const other = models.find((model) => model !== 'compute');
  if (scope === null || other === undefined) return scope;
  throw new AuditRefusedError(
    `strategy ${strategy} reads the ${other} model, which alerts cannot limit; remove the labels of the alert token`,
  );
}
