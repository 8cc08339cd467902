import type { CloudCallOptions } from '../call-options.ts';
import type { FieldReader } from '../http/field-reader.ts';
import { readAllPages, readElement } from '../service/paged-list.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { FlavorDetails } from './types.ts';

/** First version with extra specs in lists. */
const versions = { min: '2.53', max: '2.61' };

/** All flavors, public and private. */
export function listFlavors(client: ServiceClient, options?: CloudCallOptions): Promise<FlavorDetails[]> {
  const query = { is_public: 'None' };
  return readAllPages(client, { path: '/flavors/detail', key: 'flavors', query, versions, options }, parseFlavor);
}

/** One flavor by its id, or null on Nova's 404. */
export function getFlavor(
  client: ServiceClient,
  id: string,
  options?: CloudCallOptions,
): Promise<FlavorDetails | null> {
  const path = `/flavors/${encodeURIComponent(id)}`;
  return readElement(client, { path, key: 'flavor', versions, options }, parseFlavor);
}

function parseFlavor(fields: FieldReader): FlavorDetails {
  return {
    ...sizes(fields),
    id: fields.text('id'),
    name: fields.text('name'),
    ephemeralGb: fields.numberOr('OS-FLV-EXT-DATA:ephemeral', 0),
  };
}

/**
 * The flavor within a server (2.47 and newer), which has no id. A server of an unreachable cell has no flavor, and the
 * result is empty.
 */
export function parseEmbeddedFlavor(fields: FieldReader | null): FlavorDetails {
  if (fields === null) {
    return { id: null, name: '', vcpus: 0, ramMb: 0, diskGb: 0, ephemeralGb: 0, swapMb: 0, extraSpecs: {} };
  }
  return {
    ...sizes(fields),
    id: null,
    name: fields.textOr('original_name', ''),
    ephemeralGb: fields.numberOr('ephemeral', 0),
  };
}

function sizes(fields: FieldReader): Pick<FlavorDetails, 'vcpus' | 'ramMb' | 'diskGb' | 'swapMb' | 'extraSpecs'> {
  return {
    vcpus: fields.number('vcpus'),
    ramMb: fields.number('ram'),
    diskGb: fields.number('disk'),
    swapMb: fields.numberOr('swap', 0),
    extraSpecs: fields.textMap('extra_specs'),
  };
}
