import type { FastifyInstance } from 'fastify';
import { messageOf, OperatorError } from '#libs/domain';

/**
 * Lets the application listen.
 * @returns its URL.
 * @throws OperatorError when the port is taken or the address is not of this machine.
 */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    throw new OperatorError(explain(error, host, port), { cause: error });
  }
}

function explain(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is in use: set VIGIL_PORT to another one, or 0 for any`;
  if (code === 'EACCES') return `port ${port} needs privileges that this user does not have: set VIGIL_PORT above 1023`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is no address of this machine: check VIGIL_HOST`;
  return `can not listen on ${host}:${port}: ${messageOf(error)}`;
}
