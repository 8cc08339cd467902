import { expect, it } from 'vitest';
import type { ServiceView } from '#libs/store';
import { createServiceWatch } from './service-watch.ts';

const at = new Date('2026-11-20T10:00:00.500Z');
const service = (status: ServiceView['status']): ServiceView => ({
  id: 1,
  name: 'watcher-applier',
  host: 'controller-1',
  lastSeenUp: at,
  createdAt: at,
  updatedAt: null,
  deletedAt: null,
  status,
});

it('publishes a service whose status changed, with a higher level when it failed', () => {
  const watch = createServiceWatch(() => 'id');
  expect(watch.check([service('ACTIVE')], at)).toEqual([]);
  expect(watch.check([service('ACTIVE')], at)).toEqual([]);
  const [failed] = watch.check([service('FAILED')], at);
  expect(failed).toMatchObject({ eventType: 'service.update', priority: 'warning' });
  expect(failed?.payload).toEqual({
    'watcher_object.name': 'ServiceUpdatePayload',
    'watcher_object.namespace': 'watcher',
    'watcher_object.version': '1.0',
    'watcher_object.data': {
      sevice_host: 'controller-1',
      name: 'watcher-applier',
      last_seen_up: '2026-11-20T10:00:00Z',
      status_update: {
        'watcher_object.name': 'ServiceStatusUpdatePayload',
        'watcher_object.namespace': 'watcher',
        'watcher_object.version': '1.0',
        'watcher_object.data': { old_state: 'ACTIVE', state: 'FAILED' },
      },
    },
  });
  expect(watch.check([service('ACTIVE')], at)[0]).toMatchObject({ priority: 'info' });
});
