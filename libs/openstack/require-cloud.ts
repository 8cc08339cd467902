import { OperatorError } from '#libs/domain';
import type { CloudCallOptions } from './call-options.ts';
import type { Cloud } from './cloud.ts';
import { OpenStackError } from './errors.ts';

/**
 * Start-up check: Keystone issues a token, and Nova and Placement respond. Throws an OperatorError with one line that
 * names the remedy (wrong URL, wrong password, unknown project, service or region missing). Throws the OpenStackError
 * when waiting may help (service unreachable or overloaded).
 */
export async function requireCloud(cloud: Cloud, options?: CloudCallOptions): Promise<void> {
  try {
    await cloud.identity.token(options);
    await cloud.compute.listServices(options);
    await cloud.placement.listResourceProviders(options);
  } catch (error) {
    throw asOperatorFault(error);
  }
}

/** The error to throw: an OperatorError when waiting does not help, otherwise the error itself. */
export function asOperatorFault(error: unknown): unknown {
  if (!(error instanceof OpenStackError) || !isForOperator(error)) return error;
  return new OperatorError(`OpenStack cannot be used: ${error.message}`);
}

/** Waiting does not help when the catalogue lacks the service. */
function isForOperator(error: OpenStackError): boolean {
  return error.category !== 'retryable' || error.request === 'catalogue';
}
