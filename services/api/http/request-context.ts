import type { CallerIdentity } from '../auth/caller-identity.ts';
import type { BaseUrls } from './links.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; set by the authentication hook before any handler runs. */
    caller: CallerIdentity;
    /** Minor version of the API that the client asked for, 0 to 7. */
    microversion: number;
    /** URLs that generated links begin with. */
    base: BaseUrls;
    /** Where the client is; with a trusted proxy not the proxy. */
    clientAddress: string;
    /** Session of the dashboard that stands for a token in this request, as the store knows it; null without one. */
    sessionHash: string | null;
  }
}
