import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { messageOf } from '#libs/domain';
import { NoValidHostError, SimulatedApiError } from '../errors.ts';
import { unsupportedMethodMessage } from '../identity/authenticate.ts';
import { contextOf, originOf, type RequestContext, type ServiceName } from './request-context.ts';

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

/** Exceptions of Neutron, which its errors contain. */
const neutronTypes: Record<number, string> = {
  400: 'BadRequest',
  403: 'PolicyNotAuthorized',
  404: 'PortNotFound',
  409: 'Conflict',
};

/** Keystone lists its methods when it refuses an unknown one. */
const methods = ['external', 'password', 'token', 'oauth1', 'mapped', 'application_credential', 'ec2credential'];

interface Fault {
  status: number;
  message: string;
  placementCode: string;
}

const unknownPath = 'The resource could not be found.';
const placementCode = 'placement.undefined_code';

/** The fault of any thrown value: a simulated one, one of the framework, or an unexpected one (500). */
function faultOf(error: unknown): Fault {
  if (error instanceof SimulatedApiError) return error;
  if (error instanceof NoValidHostError) return { status: 400, message: error.message, placementCode };
  const status = (error as FastifyError).statusCode ?? 500;
  return {
    status,
    placementCode,
    message: status >= 500 ? 'The server has either erred or is incapable.' : messageOf(error),
  };
}

/** Body of an error response, in the format of the service. 401 always has Keystone's format. */
function errorBody(service: ServiceName, { status, message, placementCode }: Fault, context: RequestContext): object {
  const title = titles[status] ?? 'Error';
  if (service === 'identity' || status === 401) {
    return {
      error: {
        code: status,
        message,
        title,
        ...(message === unsupportedMethodMessage ? { identity: { methods } } : {}),
      },
    };
  }
  if (service === 'placement') return placementBody({ status, message, placementCode }, title, context);
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

/** Sentences of WebOb that precede Placement's own. */
const placementExplanations: Record<number, string> = {
  400: 'The server could not comply with the request since it is either malformed or otherwise incorrect.',
  404: unknownPath,
  406: 'The resource could not be generated that was acceptable to your browser (content of type application/json. ',
};

/** Codes exist from 1.23 on. */
function placementBody(
  { status, message, placementCode: code }: Fault,
  title: string,
  context: RequestContext,
): object {
  const reason = message === unknownPath ? '' : message;
  const explanation = placementExplanations[status];
  const end = status === 406 ? '' : '  ';
  const detail = explanation === undefined ? message : `${explanation}\n\n ${reason}${end}`;
  return {
    errors: [
      {
        status,
        title,
        detail,
        request_id: context.requestId,
        ...(context.minor >= 23 ? { code } : {}),
        ...(status === 406 ? { min_version: '1.0', max_version: '1.39' } : {}),
      },
    ],
  };
}

/** The routers of Nova and Cinder have a separate format. */
const routerUnknownPath = { message: `${unknownPath}<br /><br />\n\n\n`, code: '404 Not Found', title: 'Not Found' };

/** Makes a scope return errors and unknown paths like its service. */
export function respondErrorsLike(scope: FastifyInstance, service: ServiceName): void {
  function respond(request: FastifyRequest, reply: FastifyReply, fault: Fault): FastifyReply {
    const { status } = fault;
    if (status === 401) void reply.header('www-authenticate', `Keystone uri="${originOf(request)}/identity"`);
    return reply
      .code(status)
      .type('application/json')
      .send(errorBody(service, fault, contextOf(request)));
  }
  scope.setErrorHandler((error, request, reply) => {
    return respond(request, reply, faultOf(error));
  });
  scope.setNotFoundHandler((request, reply) =>
    service === 'compute' || service === 'volume'
      ? reply.code(404).type('application/json').send(routerUnknownPath)
      : respond(request, reply, { status: 404, message: unknownPath, placementCode }),
  );
}
