import type { CloudCallOptions } from '../call-options.ts';
import type { FieldReader } from '../http/field-reader.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { ComputeService } from './types.ts';

/** From 2.53 on, a service has a uuid and is changed with one call. */
const versions = { min: '2.53', max: '2.69' };

/** The nova-compute services. A service of an unreachable cell is down and `unreachable`. */
export async function listServices(client: ServiceClient, options?: CloudCallOptions): Promise<ComputeService[]> {
  const query = { binary: 'nova-compute' };
  const response = await client.read({ method: 'GET', path: '/os-services', query, versions, options });
  return response.list('services').map(parseService);
}

/** Enables or disables a service. The reason is for operators, and is sent only when disabling. */
export async function setServiceStatus(
  client: ServiceClient,
  serviceId: string,
  status: 'enabled' | 'disabled',
  disabledReason: string | null,
  options?: CloudCallOptions,
): Promise<'enabled' | 'disabled'> {
  const reason = status === 'disabled' && disabledReason ? { disabled_reason: disabledReason } : {};
  const path = `/os-services/${encodeURIComponent(serviceId)}`;
  const response = await client.read({ method: 'PUT', path, body: { status, ...reason }, versions, options });
  return response.object('service').text('status') === 'disabled' ? 'disabled' : 'enabled';
}

function parseService(fields: FieldReader): ComputeService {
  return {
    id: fields.textOr('id', ''),
    host: fields.text('host'),
    binary: fields.text('binary'),
    zone: fields.textOr('zone', ''),
    status: fields.text('status') === 'disabled' ? 'disabled' : 'enabled',
    state: fields.textOr('state', 'down') === 'up' ? 'up' : 'down',
    forcedDown: fields.booleanOr('forced_down', false),
    disabledReason: fields.optionalText('disabled_reason'),
    ...(fields.text('status') === 'UNKNOWN' && { unreachable: true }),
  };
}
