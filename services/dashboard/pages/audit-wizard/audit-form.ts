import type { AuditCreate, Strategy, VigilClient } from '#libs/client';
import { dataOf } from '#libs/client';
import { type ScopeForm, scopeOf, wholeCloud } from '../../components/scope.ts';
import type { WizardStart } from '../../components/wizard-path.ts';
import { changedValues, initialValue, type ParameterSpec } from './parameter-spec.ts';

/** Levels of automation: see `AuditAutomation` of the API. */
export const automationLevels = [0, 1, 2, 3] as const;
type AutomationLevel = (typeof automationLevels)[number];

/** Values of the wizard so far. */
export interface AuditForm {
  name: string;
  goal: string;
  /** Uuid. Empty: Vigil selects. */
  strategy: string;
  parameters: Record<string, unknown>;
  scope: ScopeForm;
  auditType: 'ONESHOT' | 'CONTINUOUS' | 'EVENT';
  interval: string;
  /** Local times without an offset, as in the browser's fields. Empty: immediately, without end. */
  start: string;
  end: string;
  /** Automation level. */
  level: AutomationLevel;
  force: boolean;
}

/** An empty wizard. */
export const emptyForm: AuditForm = {
  name: '',
  goal: '',
  strategy: '',
  parameters: {},
  scope: wholeCloud,
  auditType: 'ONESHOT',
  interval: '',
  start: '',
  end: '',
  level: 1,
  force: false,
};

/** The form after the selection of another strategy: its parameters have their defaults. */
export function withStrategy(form: AuditForm, strategy: Strategy | undefined): AuditForm {
  const parameters = strategy ? ((initialValue(specOf(strategy)) ?? {}) as Record<string, unknown>) : {};
  return { ...form, strategy: strategy?.uuid ?? '', parameters };
}

/** The form of the wizard's URL. Null if the URL has none. */
export function formOf(
  { strategy: name, parameters, leftOut }: Required<WizardStart>,
  strategies: readonly Strategy[],
): AuditForm | null {
  const scope = { ...wholeCloud, excludedNodes: [...leftOut] };
  const strategy = strategies.find((known) => known.name === name);
  if (!strategy) return leftOut.length > 0 ? { ...emptyForm, scope } : null;
  const form = withStrategy({ ...emptyForm, goal: strategy.goal_uuid ?? '', scope }, strategy);
  return { ...form, parameters: { ...form.parameters, ...parameters } };
}

/** The parameter schema of a strategy. */
export function specOf(strategy: Strategy | undefined): ParameterSpec {
  const spec = (strategy?.parameters_spec ?? {}) as ParameterSpec;
  return spec.properties ? { ...spec, type: 'object' } : { type: 'object', properties: {} };
}

/** Body of a dry run. */
export function previewOf(form: AuditForm, strategy: Strategy | undefined) {
  const scope = scopeOf(form.scope);
  return {
    goal: form.goal,
    audit_type: form.auditType,
    ...(strategy ? { strategy: strategy.uuid, parameters: changedValues(specOf(strategy), form.parameters) } : {}),
    ...(scope.length > 0 ? { scope } : {}),
  };
}

/**
 * Creates the audit. Watcher's audits take a scope only from a template, so an audit with a scope gets one.
 * @returns its uuid.
 */
export async function createAudit(
  client: VigilClient,
  form: AuditForm,
  strategy: Strategy | undefined,
): Promise<string> {
  const scope = scopeOf(form.scope);
  const parameters = changedValues(specOf(strategy), form.parameters);
  const body: AuditCreate = {
    audit_type: form.auditType,
    automation_level: form.level,
    force: form.force,
    ...(form.name.trim() === '' ? {} : { name: form.name.trim() }),
    ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
    ...(form.auditType === 'CONTINUOUS'
      ? {
          interval: form.interval.trim(),
          ...(form.start === '' ? {} : { start_time: new Date(form.start).toISOString() }),
          ...(form.end === '' ? {} : { end_time: new Date(form.end).toISOString() }),
        }
      : {}),
  };
  if (scope.length === 0) {
    const own = { ...body, goal: form.goal, ...(strategy ? { strategy: strategy.uuid } : {}) };
    return (await dataOf(client.api.POST('/v1/audits', { body: own }))).uuid;
  }
  const name = `scope of ${form.name.trim() || 'an audit'} ${crypto.randomUUID().slice(0, 8)}`.slice(0, 63);
  const template = await dataOf(
    client.api.POST('/v1/audit_templates', {
      body: { name, goal: form.goal, ...(strategy ? { strategy: strategy.uuid } : {}), scope },
    }),
  );
  const own = { ...body, audit_template_uuid: template.uuid };
  return (await dataOf(client.api.POST('/v1/audits', { body: own }))).uuid;
}
