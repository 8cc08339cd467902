import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SimulatedApiError } from '../errors.ts';
import { contextOf } from './request-context.ts';
import { headerText } from './request-hooks.ts';

/** How one service negotiates its microversion. */
export interface MicroversionRange {
  /** Name in `OpenStack-API-Version: <name> <version>`. */
  name: 'compute' | 'placement' | 'volume' | 'baremetal';
  major: number;
  minMinor: number;
  maxMinor: number;
  /** Older header with only the version. */
  legacyHeader?: string;
}

function wanted(request: FastifyRequest, range: MicroversionRange): string | undefined {
  const header = headerText(request.headers['openstack-api-version']);
  for (const part of (header ?? '').split(',')) {
    const [name, version] = part.trim().split(/\s+/);
    if (name?.toLowerCase() === range.name && version !== undefined) return version;
  }
  return range.legacyHeader === undefined ? undefined : headerText(request.headers[range.legacyHeader.toLowerCase()]);
}

function minorOf(version: string | undefined, range: MicroversionRange): number {
  if (version === undefined) return range.minMinor;
  if (version === 'latest') return range.maxMinor;
  const match = /^(\d+)\.(\d+)$/.exec(version);
  if (match === null) {
    const text = `API Version String ${version} is of invalid format. Must be of format MajorNum.MinorNum.`;
    throw new SimulatedApiError(400, text);
  }
  const minor = Number(match[2]);
  if (Number(match[1]) === range.major && minor >= range.minMinor && minor <= range.maxMinor) return minor;
  const { major, minMinor, maxMinor } = range;
  if (range.name === 'placement') {
    throw new SimulatedApiError(406, `Invalid microversion: Unacceptable version header: ${version}`);
  }
  throw new SimulatedApiError(
    406,
    `Version ${version} is not supported by the API. Minimum is ${major}.${minMinor} and maximum is ${major}.${maxMinor}.`,
  );
}

/**
 * Reads the requested version into the context of the request, and returns the current version. 406 if it is not
 * supported.
 */
export function negotiateMicroversion(scope: FastifyInstance, range: MicroversionRange): void {
  scope.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const minor = minorOf(wanted(request, range), range);
    contextOf(request).minor = minor;
    const version = `${range.major}.${minor}`;
    void reply.header('openstack-api-version', `${range.name} ${version}`);
    const vary = ['OpenStack-API-Version'];
    if (range.legacyHeader !== undefined) {
      void reply.header(range.legacyHeader.toLowerCase(), version);
      vary.push(range.legacyHeader);
    }
    void reply.header('vary', vary.join(', '));
  });
}
