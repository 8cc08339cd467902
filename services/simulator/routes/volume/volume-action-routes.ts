import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SimulatedVolume } from '../../cloud/entities.ts';
import type { Simulation } from '../../create-simulation.ts';
import { SimulatedApiError } from '../../errors.ts';
import { booleanWords, isBooleanWord, pythonText, schemaMessage } from '../python-text.ts';
import { isAdmin, objectBody, paramsOf, tokenOf } from '../request-context.ts';

const adviceOfCinder = 'Verify the request body and Content-Type header and try again.';
/** Boolean words of Cinder, which accepts more than Nova. */
const booleanWordsOfCinder = booleanWords.replace("'yes'", "'yes', 'y', 't'").replace("'no'", "'no', 'n', 'f'");

/** The volume in the path, if the caller may see it. @throws SimulatedApiError 404 */
export function volumeOf({ state }: Pick<Simulation, 'state'>, request: FastifyRequest): SimulatedVolume {
  const id = paramsOf(request).volume ?? '';
  const volume = state.volumes.get(id);
  const mayRead = volume !== undefined && (isAdmin(request) || volume.projectId === tokenOf(request).project?.id);
  if (!mayRead) throw new SimulatedApiError(404, `Volume ${id} could not be found.`);
  return volume;
}

/** @throws SimulatedApiError 403 */
export function requireAdmin(request: FastifyRequest, rule: string): void {
  if (!isAdmin(request)) throw new SimulatedApiError(403, `Policy doesn't allow ${rule} to be performed.`);
}

/** `POST /volumes/{id}/action` with `os-migrate_volume` or `os-retype`. */
export function volumeActionRoutes(scope: FastifyInstance, { volumeOperations, ...simulation }: Simulation): void {
  function migrate(volume: SimulatedVolume, argument: Record<string, unknown>): void {
    const { host, lock_volume: lock } = argument;
    const unknown = Object.keys(argument).find(
      (key) => !['host', 'cluster', 'force_host_copy', 'lock_volume'].includes(key),
    );
    if (unknown !== undefined) {
      const reason = `Additional properties are not allowed ('${unknown}' was unexpected)`;
      throw invalid('os-migrate_volume', argument, reason);
    }
    for (const name of ['force_host_copy', 'lock_volume'] as const) {
      const value = argument[name];
      if (value === undefined || isBooleanWord(value)) continue;
      throw invalid(name, value, `${pythonText(value, true)} is not one of [${booleanWordsOfCinder}]`);
    }
    if (typeof host !== 'string' || host === '') {
      throw new SimulatedApiError(400, 'Invalid input received: One and only one of cluster and host must be set.');
    }
    volumeOperations.migrate(volume, host, lock === true || lock === 'true');
  }
  function retype(volume: SimulatedVolume, argument: Record<string, unknown>): void {
    const { new_type: type, migration_policy: policy } = argument;
    if (typeof type !== 'string') throw invalid('os-retype', argument, "'new_type' is a required property");
    if (policy !== undefined && policy !== 'on-demand' && policy !== 'never') {
      throw invalid('migration_policy', policy, `${pythonText(policy, true)} is not one of ['on-demand', 'never']`);
    }
    volumeOperations.retype(volume, type, policy ?? 'never');
  }
  scope.post('/volumes/:volume/action', async (request, reply) => {
    const body = objectBody(request);
    const volume = volumeOf(simulation, request);
    if ('os-migrate_volume' in body) {
      requireAdmin(request, 'volume_extension:volume_admin_actions:migrate_volume');
      migrate(volume, argumentOf(body, 'os-migrate_volume'));
    } else if ('os-retype' in body) retype(volume, argumentOf(body, 'os-retype'));
    else
      throw new SimulatedApiError(400, `There is no such action: ${Object.keys(body).join(', ')}. ${adviceOfCinder}`);
    return reply.code(202).send();
  });
}

function argumentOf(body: Record<string, unknown>, name: string): Record<string, unknown> {
  const argument = body[name];
  if (typeof argument !== 'object' || argument === null)
    throw invalid(name, argument, `${pythonText(argument, true)} is not of type 'object'`);
  return argument as Record<string, unknown>;
}

function invalid(name: string, value: unknown, reason: string): SimulatedApiError {
  return new SimulatedApiError(400, schemaMessage(name, value, reason));
}
