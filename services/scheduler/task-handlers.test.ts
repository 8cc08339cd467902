import { expect, test } from 'vitest';
import { systemClock } from '#libs/service-kit';
import type { Store } from '#libs/store';
import { taskDefinitions } from '#libs/tasks';
import { silentLogger } from '#libs/testing';
import { createTaskHandlers } from './task-handlers.ts';

test('every task of the catalogue has its code', () => {
  const settings = {
    actionPlanExpiryHours: 24,
    outboxKeepSeconds: 60,
    changesKeepSeconds: 60,
    historyKeepSeconds: 60,
    tasksKeepSeconds: 60,
    auditLogKeepSeconds: 60,
  };
  const bus = { request: () => Promise.reject(new Error('nobody is asked')) };
  const deps = { store: {} as Store, bus, databaseUrl: '', logger: silentLogger, clock: systemClock };
  const names = Object.keys(createTaskHandlers(deps, settings));
  expect(names.sort()).toEqual(taskDefinitions.map(({ name }) => name).sort());
});
