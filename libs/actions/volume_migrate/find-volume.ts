import type { Volume } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { ActionFailedError } from '../errors.ts';
import type { VolumeMigrateInput } from './input.ts';

/** The volume by id or, when no volume has that id, by name; null when there is neither. */
export async function findVolume(
  context: Pick<ActionContext<VolumeMigrateInput>, 'cloud' | 'input'>,
): Promise<Volume | null> {
  const { volume } = context.cloud;
  const { resource_id: id } = context.input;
  return (await volume.getVolume(id)) ?? (await volume.getVolumeByName(id));
}

/** As `findVolume`. @throws ActionFailedError when it is gone. */
export async function requireVolume(context: ActionContext<VolumeMigrateInput>): Promise<Volume> {
  const found = await findVolume(context);
  if (!found) throw new ActionFailedError(`Volume ${context.input.resource_id} not found`);
  return found;
}
