import type { IdSource } from '#libs/domain';
import type { ServiceView } from '#libs/store';
import type { Notification } from './notification.ts';
import { servicePayload } from './payloads.ts';

/** Remembers the status of services. */
export interface ServiceWatch {
  /** `service.update` for each known service with another status than in the last poll. */
  check(services: readonly ServiceView[], at: Date): Notification[];
}

/** Knows no service until the first poll. */
export function createServiceWatch(newUuid: IdSource): ServiceWatch {
  const known = new Map<number, ServiceView['status']>();
  return {
    check: (services, at) =>
      services.flatMap((service) => {
        const former = known.get(service.id);
        known.set(service.id, service.status);
        if (former === undefined || former === service.status) return [];
        const priority = service.status === 'FAILED' ? ('warning' as const) : ('info' as const);
        const payload = servicePayload(service, former);
        return [{ messageId: newUuid(), eventType: 'service.update', priority, payload, at }];
      }),
  };
}
