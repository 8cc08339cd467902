/** Initial values of the wizard. All are optional. */
export interface WizardStart {
  /** Name of a strategy. */
  strategy?: string | null;
  /** Differences from its defaults. */
  parameters?: Readonly<Record<string, unknown>>;
  /** Hosts that the audit leaves out. */
  leftOut?: readonly string[];
}

/** Path of the wizard with these values. */
export function wizardPath({ strategy, parameters = {}, leftOut = [] }: WizardStart): string {
  const query = new URLSearchParams();
  if (strategy) query.set('strategy', strategy);
  if (Object.keys(parameters).length > 0) query.set('parameters', JSON.stringify(parameters));
  for (const host of leftOut) query.append('leave_out', host);
  if (strategy) query.set('step', 'parameters');
  return `/audits/new?${query}`;
}

/** Values from a path of `wizardPath`. Parameters that are not a JSON object are ignored. */
export function wizardStartOf(query: URLSearchParams): Required<WizardStart> {
  return {
    strategy: query.get('strategy'),
    parameters: objectIn(query.get('parameters')),
    leftOut: query.getAll('leave_out'),
  };
}

function objectIn(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
