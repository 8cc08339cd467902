import { expect, it } from 'vitest';
import type { Cloud, Server } from '#libs/openstack';
import { listImages, needsImages, withImageProperties } from './compute-collector.ts';

const server = (given: Partial<Server>) => given as Server;
const fromImage = server({ imageId: 'i' });
const reported = server({ imageId: 'i', imageProperties: { hw_numa_nodes: '2' } });
const fromVolume = server({ bootedFromVolume: true });
const images = [{ uuid: 'i', properties: { hw_cpu_policy: 'dedicated' } }];

it('Glance is queried where Nova does not report the image', () => {
  expect([[fromImage, reported], [reported, fromVolume], []].map(needsImages)).toEqual([true, false, false]);
});

it("a server keeps Nova's image properties; Glance fills in; a removed image has none", () => {
  const all = withImageProperties([reported, fromImage, fromVolume, server({ imageId: 'gone' })], images);
  expect(all.map(({ imageProperties }) => imageProperties)).toEqual([
    { hw_numa_nodes: '2' },
    { hw_cpu_policy: 'dedicated' },
    undefined,
    undefined,
  ]);
});

it('a cloud without Glance has no images, and its failure is passed on', async () => {
  const cloud = (found: boolean, response: () => Promise<typeof images>) =>
    ({ image: { listImages: response }, hasImageService: async () => found }) as unknown as Cloud;
  const fails = () => Promise.reject(new Error('503'));
  expect(await listImages(cloud(false, fails), {})).toEqual([]);
  expect(
    await listImages(
      cloud(true, async () => images),
      {},
    ),
  ).toEqual(images);
  await expect(listImages(cloud(true, fails), {})).rejects.toThrow('503');
});
