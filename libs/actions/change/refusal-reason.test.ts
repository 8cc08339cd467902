import { expect, it } from 'vitest';
import type { RefusalReason } from '#libs/domain';
import { faultReason, refusalReason } from './refusal-reason.ts';

it.each<[RefusalReason | null, number, string]>([
  ['no_valid_host', 400, 'No valid host was found. There are not enough hosts available.'],
  ['policy', 403, "Policy doesn't allow os_compute_api:os-migrate-server:migrate_live to be performed."],
  ['quota', 403, 'Quota exceeded for cores: Requested 8, but already used 12 of 16 cores'],
  ['locked', 409, 'Instance 8e8a is locked'],
  ['share', 409, 'Feature not supported with instances that have shares.'],
  ['port', 400, 'Feature not supported with Ports that have accelerators.'],
  ['port', 409, "Operation 'live_migration' not supported for instance with vDPA ports ((instance_uuid)s)."],
  ['device', 403, 'Forbidden with instances that have accelerators.'],
  ['device', 409, "Operation 'evacuate' not supported for vTPM-enabled instance (8e8a)."],
  ['state', 409, "Cannot 'os-migrateLive' instance 8e8a while it is in vm_state stopped"],
  ['state', 409, "Cannot 'migrate' instance 8e8a while it is in task_state migrating"],
  ['state', 400, 'Invalid volume: Volume status must be available, in-use, but the current status is: error.'],
  ['host_down', 400, 'Compute service of compute-2 is unavailable at this time.'],
  ['host_down', 400, 'Compute host compute-9 could not be found.'],
  ['destination', 400, "Unacceptable CPU info: CPU doesn't have compatibility."],
  ['destination', 400, 'The instance requires a newer hypervisor version than has been provided.'],
  ['destination', 400, 'Cannot migrate to the host where the server exists.'],
  ['other', 400, 'Something new'],
  [null, 404, 'Instance 8e8a could not be found.'],
  [null, 503, 'No valid host was found.'],
  [null, 0, 'connection refused'],
])('%s from %i %s', (reason, status, message) => {
  expect(refusalReason({ status, message })).toBe(reason);
});

it('takes only the refusal of the scheduler from a fault', () => {
  expect(faultReason('Nova migration 7 ended in status error: No valid host was found. Not enough hosts')).toBe(
    'no_valid_host',
  );
  expect(faultReason('Nova migration 7 ended in status error: operation failed: domain is not running')).toBeNull();
});
