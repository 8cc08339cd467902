import { hostname } from 'node:os';
import { ConfigurationError, messageOf, silentLogger } from '#libs/domain';
import { createStore } from '#libs/store';
import { type ServiceTypeName, serviceTypes } from './service-types.ts';

/**
 * Reports to the registry that a process could not start with its configuration, if that configuration reaches the
 * database. The process has already logged the reason to standard error.
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
