import { hostname } from 'node:os';
import { ConfigurationError, messageOf, silentLogger } from '#libs/domain';
import { createStore } from '#libs/store';
import { type ServiceTypeName, serviceTypes } from './service-types.ts';

/**
 * Tells the registry that a process could not start for its configuration, as far as the database can be reached with
 * that. The process has said why on standard error before.
 */
export async function reportInvalidConfiguration(
  type: ServiceTypeName,
  error: unknown,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  if (!environment.VIGIL_DATABASE_URL) return;
  const store = await createStore({ url: environment.VIGIL_DATABASE_URL, logger: silentLogger, poolSize: 1 });
  try {
    await store.db.registry.report({
      type: 'service.could_not_start',
      serviceType: type,
      serviceName: serviceTypes[type].serviceName,
      host: environment.VIGIL_HOST_ID || hostname(),
      instanceId: null,
      doc: {
        reason: messageOf(error),
        errors: error instanceof ConfigurationError ? [...error.faults] : [messageOf(error)],
      },
    });
  } finally {
    await store.close();
  }
}
