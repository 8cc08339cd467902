import { expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { systemClock } from '#libs/service-kit';
import type { Store } from '#libs/store';
import { taskDefinitions } from '#libs/tasks';
import { createTaskHandlers } from './task-handlers.ts';

test('every task of the catalogue has its code', () => {
  const settings = {
    actionPlanExpiryHours: 24,
    plansKeepSeconds: 60,
    plansKeepPerAudit: 1,
    outboxKeepSeconds: 60,
    changesKeepSeconds: 60,
    changesKeepRows: 1000,
    historyKeepSeconds: 60,
    tasksKeepSeconds: 60,
    auditLogKeepSeconds: 60,
    decisionsKeepSeconds: 60,
    notificationsKeepSeconds: 60,
    notificationsKeepRows: 1000,
  };
  const bus = { request: () => Promise.reject(new Error('nobody is asked')) };
  const deps = {
    store: {} as Store,
    bus,
    databaseUrl: '',
    logger: silentLogger,
    clock: systemClock,
    onPruned: () => undefined,
  };
  const names = Object.keys(createTaskHandlers(deps, settings));
  expect(names.sort()).toEqual(taskDefinitions.map(({ name }) => name).sort());
});
