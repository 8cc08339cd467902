import { OpenStackError, type Server } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { refused } from './change/send-once.ts';
import { ActionFailedError, SafetyRailError } from './errors.ts';

/** Reads for a pre-condition. A refusal of the service becomes the displayed failure. */
export async function readForCheck<Found>(request: () => Promise<Found>): Promise<Found> {
  try {
    return await request();
  } catch (error) {
    throw error instanceof OpenStackError ? refused(error) : error;
  }
}

/** The server of a pre-condition. Null when it was deleted. */
export function readServer(context: Pick<ActionContext, 'cloud'>, uuid: string): Promise<Server | null> {
  return readForCheck(() => context.cloud.compute.getServer(uuid));
}

/** Rail: a server that its owner locked, or that is in ERROR, is not moved. @throws SafetyRailError */
export function requireMovable(server: Server): void {
  if (server.locked) throw new SafetyRailError('server_locked', `Instance ${server.uuid} is locked`);
  if (server.status === 'ERROR') {
    throw new SafetyRailError('server_in_error', `Instance ${server.uuid} is in ERROR status`);
  }
}

/** Nova cannot move or resize a server with a share of Manila. @throws ActionFailedError */
export async function requireNoShare(context: Pick<ActionContext, 'cloud'>, uuid: string): Promise<void> {
  const { cloud } = context;
  if ((await readForCheck(async () => cloud.hasShareService?.())) !== true) return;
  const shares = await readForCheck(() => cloud.compute.listServerShares(uuid));
  const [first] = shares ?? [];
  if (first) throw new ActionFailedError(`Instance ${uuid} has Manila share ${first.shareId} attached`);
}
