import type { Server } from './types.ts';

/**
 * Makes a function that replaces the parts of a server that many servers have in common (host, project, flavor, image,
 * empty lists) by those of an earlier server. A cloud has far fewer of them than servers.
 */
export function createPartSharer(): (server: Server) => Server {
  const texts = new Map<string, string>();
  const values = new Map<string, object>();

  function text<Text extends string | null | undefined>(value: Text): Text {
    if (typeof value !== 'string') return value;
    const known = texts.get(value);
    if (known !== undefined) return known as Text;
    texts.set(value, value);
    return value;
  }

  function shared<Value extends object | undefined>(value: Value): Value {
    if (value === undefined) return value;
    const key = JSON.stringify(value);
    const known = values.get(key);
    if (known !== undefined) return known as Value;
    values.set(key, value);
    return value;
  }

  return (server) => {
    const { pinnedAvailabilityZone, schedulerHints, imageId, imageProperties } = server;
    return {
      ...server,
      status: text(server.status),
      vmState: text(server.vmState),
      host: text(server.host),
      hypervisorHostname: text(server.hypervisorHostname),
      availabilityZone: text(server.availabilityZone),
      projectId: text(server.projectId),
      metadata: shared(server.metadata),
      ...(pinnedAvailabilityZone === undefined ? {} : { pinnedAvailabilityZone: text(pinnedAvailabilityZone) }),
      ...(schedulerHints === undefined ? {} : { schedulerHints: shared(schedulerHints) }),
      ...(imageId === undefined ? {} : { imageId: text(imageId) }),
      ...(imageProperties === undefined ? {} : { imageProperties: shared(imageProperties) }),
      flavor: shared(server.flavor),
      attachedVolumeIds: emptyOr(server.attachedVolumeIds),
      serverGroupIds: emptyOr(server.serverGroupIds),
    };
  };
}

const none: string[] = [];

function emptyOr(list: string[]): string[] {
  return list.length === 0 ? none : list;
}
