import { describe, expect, it } from 'vitest';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { createWhatIf } from './create-what-if.ts';
import { allowQueried, placementRequest } from './placement-request.ts';

const world = (flavorExtraSpecs: Record<string, string>, version?: number) =>
  createTestWorld({
    hosts: ['a', 'b'].map((hostname) => ({ hostname, ...(version === undefined ? {} : { hypervisor: { version } }) })),
    instances: [{ name: 'vm', host: 'a', flavorExtraSpecs }],
  });
const requestOf = (specs: Record<string, string>) => {
  const [info] = world(specs).instanceInfo;
  return info ? placementRequest(info) : null;
};

describe('the query of Placement', () => {
  it('has the classes that the model does not count, with the traits of their group', () => {
    expect(requestOf({ 'resources:VGPU': '1', 'resources:VCPU': '4', 'trait:HW_GPU_API_VULKAN': 'required' })).toEqual({
      query: { resources: 'VGPU:1', required: 'HW_GPU_API_VULKAN' },
      groups: [''],
    });
  });

  it('has the groups with numbers or names, and their policy', () => {
    const specs = {
      'resources1:CUSTOM_FPGA': '1',
      'trait1:CUSTOM_FAST': 'required',
      'resources_two:CUSTOM_FPGA': '2',
      'trait_two:CUSTOM_FAST': 'forbidden',
      group_policy: 'isolate',
    };
    expect(requestOf(specs)).toEqual({
      query: {
        resources1: 'CUSTOM_FPGA:1',
        required1: 'CUSTOM_FAST',
        resources_two: 'CUSTOM_FPGA:2',
        required_two: '!CUSTOM_FAST',
        group_policy: 'isolate',
      },
      groups: ['1', '_two'],
    });
  });

  it.each([
    [{}],
    [{ 'resources:PCPU': '2' }],
    [{ 'resources:VGPU': '0' }],
    [{ 'resources:MEMORY_MB': '100' }],
    [{ 'resources:VGPU': '1', 'pci_passthrough:alias': 'nic:1' }],
    [{ 'accel:device_profile': 'fpga' }],
    [{ 'resources:VGPU': '1', 'hw:mem_encryption': 'true' }],
  ])('is not made for %o', (specs) => {
    expect(requestOf(specs)).toBeNull();
  });
});

describe('instances whose moves Placement judges', () => {
  const qemu81 = 8_001_000;
  const refusals = (specs: Record<string, string>, movesDevices: boolean, version?: number) => {
    const snapshot = { ...world(specs, version), movesDevices };
    return [snapshot, allowQueried(snapshot)].map((model) => createWhatIf(model).refusal(0, 1));
  };

  it.each([
    [{ 'resources:VGPU': '1' }, true, qemu81, null],
    [{ 'resources:VGPU': '1' }, true, qemu81 - 1, 'uncounted-resource'],
    [{ 'resources:VGPU': '1' }, true, undefined, 'uncounted-resource'],
    [{ 'resources:VGPU': '1' }, false, qemu81, 'uncounted-resource'],
    [{ 'resources:CUSTOM_LICENCE': '1' }, false, undefined, null],
    [{ 'pci_passthrough:alias': 'nic:1' }, true, qemu81, 'uncounted-resource'],
  ])('may move: %o, from Nova 2025.1 on %s, on QEMU %s', (specs, movesDevices, version, refusal) => {
    expect(refusals(specs, movesDevices, version)).toEqual(['uncounted-resource', refusal]);
  });

  it('are none in a model without such instances, which stays the same', () => {
    const snapshot = world({});
    expect(allowQueried(snapshot)).toBe(snapshot);
  });
});
