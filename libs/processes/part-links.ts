import type { Store } from '#libs/store';
import { configurationSchema } from './configuration.ts';
import type { ProcessIdentity, RegisteredContext } from './registered-context.ts';
import { type ServicePartName, servicePartTypes } from './service-types.ts';

interface PartLinkDeps extends ProcessIdentity {
  context: Pick<RegisteredContext, 'envSchema'>;
  store: Store;
}

/** Shows in the graph that the process runs a part. */
export async function linkPart({ context, store, instanceId }: PartLinkDeps, name: ServicePartName): Promise<void> {
  const { registry } = store.db;
  const title = servicePartTypes[name === 'outbox-relay' ? name : 'collector'];
  const dst = { dstKind: 'ServiceType', dstId: name } as const;
  // A part is configured by the keys of its process.
  const attributes = { title, part: true, configuration: configurationSchema(context.envSchema) };
  await registry.link({ srcKind: 'Cluster', srcId: 'vigil', rel: 'supports', ...dst, attributes });
  await registry.link({ srcKind: 'ServiceInstance', srcId: instanceId, rel: 'runs', ...dst });
}

/** Shows in the graph, and by an event, that the process owns a collector. `returns`: its returns to the registry. */
export async function linkCollector(deps: PartLinkDeps, name: string, returns: number): Promise<void> {
  const { store, type, serviceName, host, instanceId } = deps;
  const { registry } = store.db;
  const owned = { dstKind: 'Collector', dstId: name } as const;
  await registry.link({ srcKind: 'ServiceInstance', srcId: instanceId, rel: 'owns', ...owned });
  await registry.report({
    type: 'service.resource_acquired',
    serviceType: type,
    serviceName,
    host,
    instanceId,
    doc: { kind: 'Collector', id: name },
    dedupeKey: `acquired:${instanceId}:${name}:${returns}`,
  });
  await linkPart(deps, `collector.${name}`);
}
