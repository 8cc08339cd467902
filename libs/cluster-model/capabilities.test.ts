import { describe, expect, it } from 'vitest';
import type { Hypervisor } from '#libs/openstack';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { capabilityDemands, readCapabilities } from './capabilities.ts';
import { createWhatIf } from './create-what-if.ts';
import { matchesExtraSpec } from './extra-spec-match.ts';

describe('capabilities that a flavor demands', () => {
  it.each([
    [{ 'capabilities:cpu_info:arch': 'x86_64' }, { 'cpu_info:arch': 'x86_64' }],
    [{ 'capabilities:anything': '1' }, { anything: '1' }],
    [{ hypervisor_type: 'QEMU' }, { hypervisor_type: 'QEMU' }],
    [{ num_task_migrating: '<= 1' }, { num_task_migrating: '<= 1' }],
    [{ 'hw:maxphysaddr_bits': '42' }, { 'cpu_info:maxphysaddr:bits': '>= 42' }],
    [{ fast: 'true', 'hw:cpu_policy': 'dedicated', 'quota:x': '1' }, null],
  ])('%o', (extraSpecs, demands) => {
    expect(capabilityDemands(extraSpecs as Record<string, string>)).toEqual(demands);
  });
});

describe('capabilities of a hypervisor', () => {
  const cpuInfo = { arch: 'x86_64', features: ['avx2', 'pge'], topology: { sockets: 2 }, nested: true };
  const hypervisor = { serviceHost: 'a', hypervisorHostname: 'a.site', hypervisorType: 'QEMU', cpuInfo } as unknown;

  it('are texts as Python writes them, null where it lacks one, and absent where no API shows them', () => {
    const paths = ['hypervisor_hostname', 'cpu_info:features', 'cpu_info:topology', 'cpu_info:nested'];
    const others = ['cpu_info:maxphysaddr:bits', 'cpu_info:arch:x', 'hypervisor_version', 'num_instances', 'anything'];
    expect(readCapabilities(hypervisor as Hypervisor, [...paths, ...others])).toEqual({
      hypervisor_hostname: 'a.site',
      'cpu_info:features': "['avx2', 'pge']",
      'cpu_info:topology': "{'sockets': 2}",
      'cpu_info:nested': 'True',
      'cpu_info:maxphysaddr:bits': null,
      'cpu_info:arch:x': null,
    });
  });
});

describe('an instance with capabilities', () => {
  const refusal = (extraSpecs: Record<string, string>, capabilities?: Record<string, string | null>) =>
    createWhatIf(
      createTestWorld({
        hosts: [{ hostname: 'a' }, { hostname: 'b', capabilities }],
        instances: [{ name: 'vm', host: 'a', flavorExtraSpecs: extraSpecs }],
      }),
    ).refusal(0, 1);

  it.each([
    ['where the host has them', { 'capabilities:x': 'y' }, { x: 'y' }, null],
    ['where the host has others', { 'capabilities:x': 'y' }, { x: 'z' }, 'capability'],
    ['where the host lacks one', { 'capabilities:x': 'y' }, { x: null }, 'capability'],
    ['where no API shows them', { 'capabilities:x': 'y' }, {}, 'capability-unknown'],
    ['where one is shown and wrong', { 'capabilities:x': 'y', 'capabilities:u': '1' }, { x: 'z' }, 'capability'],
    ['of CPUs', { 'hw:maxphysaddr_bits': '42' }, { 'cpu_info:maxphysaddr:bits': '46' }, null],
  ])('%s', (_, extraSpecs, capabilities, expected) => {
    expect(refusal(extraSpecs as Record<string, string>, capabilities as Record<string, string | null>)).toBe(expected);
  });
});

it.each([
  ['4', '= 3', true],
  ['4', '!= 3', true],
  ['text', '!= 3', false],
  ['text', '>= ', false],
  ['a', 's!= b c', true],
  ['b', 's== b c', true],
  ['a', 's==', false],
  ["['avx2', 'pge']", '<in> avx2', true],
  ["['avx2', 'pge']", '<all-in> avx2 pge', true],
  ["['avx2', 'pge']", '<all-in> avx2 sse', false],
  ['b', '<or> a <or> b', true],
  ['<or>', '<or> a <or> b', false],
  ['3', '3', true],
])('%s matches %s: %s', (have, wanted, expected) => {
  expect(matchesExtraSpec(have, wanted)).toBe(expected);
});
