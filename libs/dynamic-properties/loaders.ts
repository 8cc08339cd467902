import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Clock, messageOf, VigilError } from '#libs/domain';
import { type Metrics, untilAborted } from '#libs/service-kit';
import { type BackendGate, type BackendLimits, createBackendGate } from './backend-limits.ts';
import { labelOf, type PropertyDeclaration } from './declaration.ts';
import { PropertyLateError, PropertyTypeError } from './errors.ts';
import type { PropertyFault } from './value-store.ts';

/** A loaded value. Wrapped, because null is one. */
export interface Loaded {
  value: unknown;
}

/** Makes the function that calls loaders: bounded in time and by the limits of their backend, checked and measured. */
export function createLoaders(
  { clock, metrics }: { clock: Clock; metrics: Metrics },
  backends: Readonly<Record<string, BackendLimits>>,
) {
  const ajv = new Ajv2020({ strict: false });
  const checks = new Map<PropertyDeclaration, ValidateFunction>();
  const gates = new Map(Object.entries(backends).map(([name, limits]) => [name, createBackendGate(limits, clock)]));
  const durations = metrics.histogram('vigil_property_load_seconds', 'Calls of loaders of dynamic properties', [
    'property',
    'result',
  ]);

  function check(declaration: PropertyDeclaration, value: unknown): void {
    const validate = checks.get(declaration) ?? ajv.compile(declaration.schema);
    checks.set(declaration, validate);
    if (!validate(value)) throw new PropertyTypeError(labelOf(declaration), ajv.errorsText(validate.errors));
  }

  return async (declaration: PropertyDeclaration, id: string): Promise<unknown> => {
    const property = labelOf(declaration);
    const started = performance.now();
    const measure = (result: string) => durations.observe({ property, result }, (performance.now() - started) / 1000);
    try {
      const loaded = await bounded(declaration, id, gates.get(declaration.backend));
      const value = loaded === undefined ? null : loaded;
      check(declaration, value);
      measure('ok');
      return value;
    } catch (error) {
      measure('error');
      throw error;
    }
  };
}

async function bounded(declaration: PropertyDeclaration, id: string, gate: BackendGate | undefined): Promise<unknown> {
  const ending = new AbortController();
  const late = new PropertyLateError(labelOf(declaration), declaration.timeoutSeconds);
  const timer = setTimeout(() => ending.abort(late), declaration.timeoutSeconds * 1000);
  const work = async () => {
    const release = (await gate?.(ending.signal)) ?? (() => undefined);
    try {
      return await declaration.load(id, ending.signal);
    } finally {
      release();
    }
  };
  try {
    // A loader that does not listen to its signal is left behind.
    return await untilAborted(work(), ending.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Failure as readers see it. */
export function faultOf(error: unknown): PropertyFault {
  return { code: error instanceof VigilError ? error.code : 'loader_failed', message: messageOf(error) };
}
