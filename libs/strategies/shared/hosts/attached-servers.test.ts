import { expect, it } from 'vitest';
import { applyScope, createWhatIf } from '#libs/cluster-model';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { createTestStorage } from '../../testing/test-storage.ts';
import { attachedServersRefusal } from './attached-servers.ts';

const whole = createTestWorld({
  hosts: [
    { hostname: 'east', vcpus: 8, memory: 16, disk: 100, zone: 'east' },
    { hostname: 'west', vcpus: 8, memory: 16, disk: 100, zone: 'west' },
  ],
  instances: [
    { name: 'running', host: 'east' },
    { name: 'off', host: 'west', state: 'stopped' },
  ],
});

function refusal(snapshot: typeof whole, server: string) {
  const pools = [{ name: 's1@lvm#one' }];
  const { volumes } = createTestStorage({ pools, volumes: [{ name: 'v', pool: 's1@lvm#one', servers: [server] }] });
  return attachedServersRefusal(createWhatIf(snapshot), volumes[0] as (typeof volumes)[number]);
}

it('holds a volume by the state of its server', () => {
  expect(refusal(whole, testUuid('running'))).toBeNull();
  expect(refusal(whole, testUuid('off'))).toBe('server-state');
});

it('holds a volume whose server is not in the model, since Nova may not copy it', () => {
  const { snapshot } = applyScope(whole, [{ compute: [{ availability_zones: [{ name: 'east' }] }] }]);
  expect(refusal(snapshot, testUuid('running'))).toBeNull();
  expect(refusal(snapshot, testUuid('off'))).toBe('server-unknown');
});
