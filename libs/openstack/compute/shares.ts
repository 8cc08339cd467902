import type { CloudCallOptions } from '../call-options.ts';
import { OpenStackError } from '../errors.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { ServerShare } from './types.ts';

/** First version with shares of Manila. */
const versions = { min: '2.97', max: '2.97' };

/** Status of an error by which no common microversion is reported. */
const noVersion = 406;

/**
 * The shares of Manila that are attached to a server. Null for an unknown server. Empty if Nova is older than 2.97,
 * which supports no shares.
 */
export async function listServerShares(
  client: ServiceClient,
  serverUuid: string,
  options?: CloudCallOptions,
): Promise<ServerShare[] | null> {
  const path = `/servers/${encodeURIComponent(serverUuid)}/shares`;
  try {
    const response = await client.find({ method: 'GET', path, versions, options });
    const shares = response?.list('shares') ?? null;
    return shares?.map((fields) => ({ shareId: fields.text('share_id'), status: fields.textOr('status', '') })) ?? null;
  } catch (error) {
    if (error instanceof OpenStackError && error.status === noVersion) return [];
    throw error;
  }
}
