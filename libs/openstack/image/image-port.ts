import type { CloudCallOptions } from '../call-options.ts';
import type { FieldReader } from '../http/field-reader.ts';
import type { ServiceClient } from '../service/service-client.ts';

/** Glance has no microversions to request. */
const versions = { min: '2.0', max: '2.0' };

/** Images per page. Glance may be configured to return fewer. */
const pageSize = '1000';

/** Glance behind the port. */
export function createImagePort(client: ServiceClient): ImagePort {
  return { listImages: (options) => listImages(client, options) };
}

/** All images, following the `next` link of each page. */
async function listImages(client: ServiceClient, options?: CloudCallOptions): Promise<Image[]> {
  const found = new Map<string, Image>();
  let marker: string | null = null;
  do {
    const query: Record<string, string> = {
      visibility: 'all',
      limit: pageSize,
      ...(marker === null ? {} : { marker }),
    };
    const page = await client.read({ method: 'GET', path: '/images', query, versions, options });
    const before = found.size;
    const images = page.list('images').map((fields) => parseImage(fields));
    for (const image of images) found.set(image.uuid, image);
    const goesOn = page.optionalText('next') !== null && found.size > before;
    marker = goesOn ? (images.at(-1)?.uuid ?? null) : null;
  } while (marker !== null);
  return [...found.values()];
}

/** Glance mixes properties with its own fields. Properties are always texts. */
function parseImage(fields: FieldReader): Image {
  return { uuid: fields.text('id'), properties: fields.ownTexts() };
}

/** An image with the properties of its owner and the text fields of Glance. */
export interface Image {
  uuid: string;
  properties: Record<string, string>;
}

/** Glance, for reading. */
export interface ImagePort {
  /** Images of all projects. */
  listImages(options?: CloudCallOptions): Promise<Image[]>;
}
