import type { Server } from '#libs/openstack';
import { capabilityDemands } from './capabilities.ts';
import type { InstanceInfo, PortNeed } from './compute-snapshot.ts';
import { heededHints } from './hints/heeded-hints.ts';
import { judgedImageProperties, systemProperties } from './instance-demands.ts';
import { isEnabled, type NovaFilter } from './nova-filters.ts';

/** The parts of a cloud that decide which facts about its servers count. */
interface Surroundings {
  /** Keys of the metadata of host aggregates. */
  aggregateKeys: ReadonlySet<string>;
  /** Enabled filters of Nova's scheduler. Undefined: all. */
  filters: readonly NovaFilter[] | undefined;
  /** Whether each server has a share of Manila. Null: unknown. Null or undefined for the map: the cloud has none. */
  shares: ReadonlyMap<string, boolean | null> | null | undefined;
  portNeeds: ReadonlyMap<string, PortNeed>;
}

/**
 * Makes a function that returns the attributes of a server that the model keeps. Servers that share a flavor or image
 * object also share its facts.
 */
export function createInstanceDescriber(around: Surroundings): (server: Server) => InstanceInfo {
  const readsCapabilities = isEnabled('ComputeCapabilitiesFilter', around.filters);
  const capabilitiesOf = onceEach((specs) => (readsCapabilities ? capabilityDemands(specs) : null));
  const judgedOf = onceEach((properties) => judgedImageProperties(properties, around.aggregateKeys));
  const systemOf = onceEach(systemProperties);
  const noProperties = {};
  return (server) => {
    const hints = heededHints(server.schedulerHints, around.filters);
    const capabilities = capabilitiesOf(server.flavor.extraSpecs);
    const imageProperties = judgedOf(server.imageProperties ?? noProperties);
    const imageSystem = systemOf(server.imageProperties ?? noProperties);
    const ports = around.portNeeds.get(server.uuid);
    return {
      uuid: server.uuid,
      name: server.name,
      projectId: server.projectId,
      metadata: server.metadata,
      flavorExtraSpecs: server.flavor.extraSpecs,
      ...(server.flavor.name ? { flavorName: server.flavor.name } : {}),
      ...(Object.keys(imageProperties).length === 0 ? {} : { imageProperties }),
      ...(Object.keys(imageSystem).length === 0 ? {} : { imageSystem }),
      pinnedZone: zoneToStayIn(server),
      ...(hints === null ? {} : { hints }),
      ...(capabilities === null ? {} : { capabilities }),
      ...(ports === undefined ? {} : { ports }),
      ...sharesOf(server, around.shares),
      created: server.created,
    };
  };
}

type Properties = Readonly<Record<string, string>>;

/** Calls `read` once for each object. */
function onceEach<Result>(read: (properties: Properties) => Result): (properties: Properties) => Result {
  const known = new Map<Properties, Result>();
  return (properties) => {
    const found = known.get(properties);
    if (found !== undefined) return found;
    const made = read(properties);
    known.set(properties, made);
    return made;
  };
}

/** When Nova does not report a requested zone, the server stays in its current zone. */
function zoneToStayIn({ pinnedAvailabilityZone: pinned, availabilityZone: present }: Server): string {
  return (pinned === undefined ? present : pinned) ?? '';
}

function sharesOf({ uuid }: Server, shares: Surroundings['shares']): Pick<InstanceInfo, 'shares'> {
  const has = shares ? (shares.get(uuid) ?? null) : false;
  if (has === false) return {};
  return { shares: has === null ? 'unknown' : 'attached' };
}
