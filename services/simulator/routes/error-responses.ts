import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { messageOf } from '#libs/domain';
import { NoValidHostError, SimulatedApiError } from '../errors.ts';
import { contextOf, originOf, type ServiceName } from './request-context.ts';

const titles: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};
const novaNames: Record<number, string> = {
  400: 'badRequest',
  403: 'forbidden',
  404: 'itemNotFound',
  405: 'badMethod',
  409: 'conflictingRequest',
  413: 'overLimit',
  429: 'overLimit',
  501: 'notImplemented',
  503: 'serviceUnavailable',
};

/** Exceptions of Neutron, which its errors name. */
const neutronTypes: Record<number, string> = {
  400: 'BadRequest',
  403: 'PolicyNotAuthorized',
  404: 'PortNotFound',
  409: 'Conflict',
};

/** `status` and `message` of anything thrown: ours, the framework's, or unexpected (500). */
function statusOf(error: unknown): { status: number; message: string } {
  if (error instanceof SimulatedApiError) return { status: error.status, message: error.message };
  if (error instanceof NoValidHostError) return { status: 400, message: error.message };
  const status = (error as FastifyError).statusCode ?? 500;
  return { status, message: status >= 500 ? 'The server has either erred or is incapable.' : messageOf(error) };
}

/** Body of an error response, in the format of the service. 401 always has Keystone's format. */
function errorBody(service: ServiceName, status: number, message: string, requestId: string): object {
  const title = titles[status] ?? 'Error';
  if (service === 'identity' || status === 401) return { error: { code: status, message, title } };
  if (service === 'placement') {
    const versions = status === 406 ? { min_version: '1.0', max_version: '1.39' } : {};
    const code = 'placement.undefined_code';
    return { errors: [{ status, title, detail: message, code, request_id: requestId, ...versions }] };
  }
  if (service === 'baremetal') {
    const faultcode = status >= 500 ? 'Server' : 'Client';
    return { error_message: JSON.stringify({ faultcode, faultstring: message, debuginfo: null }) };
  }
  if (service === 'network') {
    return { NeutronError: { type: neutronTypes[status] ?? `HTTP${title.replaceAll(' ', '')}`, message, detail: '' } };
  }
  const fallback = service === 'volume' ? 'volumeFault' : 'computeFault';
  return { [novaNames[status] ?? fallback]: { code: status, message } };
}

/** Makes a scope return faults and unknown paths like its service. */
export function respondErrorsLike(scope: FastifyInstance, service: ServiceName): void {
  function answer(request: FastifyRequest, reply: FastifyReply, status: number, message: string): FastifyReply {
    if (status === 401) void reply.header('www-authenticate', `Keystone uri="${originOf(request)}/identity"`);
    return reply
      .code(status)
      .type('application/json')
      .send(errorBody(service, status, message, contextOf(request).requestId));
  }
  scope.setErrorHandler((error, request, reply) => {
    const { status, message } = statusOf(error);
    return answer(request, reply, status, message);
  });
  scope.setNotFoundHandler((request, reply) => answer(request, reply, 404, 'The resource could not be found.'));
}
