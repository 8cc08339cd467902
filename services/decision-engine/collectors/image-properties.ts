import type { Cloud, CloudCallOptions, Image, Server } from '#libs/openstack';

/** Whether Nova is too old to tell the properties of the servers' images (2.98), so that Glance has to be asked. */
export function needsImages(servers: readonly Server[]): boolean {
  return servers.some(({ imageId, imageProperties }) => imageId !== undefined && imageProperties === undefined);
}

/** All images; none where the cloud has no Glance. */
export async function listImages(cloud: Cloud, options: CloudCallOptions): Promise<Image[]> {
  if (cloud.image === undefined || (await cloud.hasImageService?.(options)) !== true) return [];
  return await cloud.image.listImages(options);
}

/**
 * The servers with what their images say today, where Nova does not tell what they said when the servers were made. Of an image
 * that is gone nothing is known.
 */
export function withImageProperties(servers: readonly Server[], images: readonly Image[]): Server[] {
  const known = new Map(images.map(({ uuid, properties }) => [uuid, properties]));
  return servers.map((server) => {
    const imageProperties = server.imageProperties ?? known.get(server.imageId ?? '');
    return imageProperties === undefined ? server : { ...server, imageProperties };
  });
}
