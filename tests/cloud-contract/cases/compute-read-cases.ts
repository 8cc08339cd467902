import type { ContractCase } from './contract-case.ts';

/** Reads of Nova, with the microversions that changed their responses or their parameters. */
const reads: readonly [path: string, minors: readonly number[]][] = [
  ['/servers?name=%5Econtract-plain%24', [1, 104]],
  [
    '/servers/detail?name=%5Econtract-plain%24&all_tenants=True',
    [1, 3, 9, 16, 19, 26, 47, 63, 69, 73, 75, 90, 96, 98, 100, 101, 102, 104],
  ],
  ['/servers/{plain}', [1, 3, 9, 16, 19, 26, 47, 63, 71, 73, 90, 96, 98, 100, 101, 102, 104]],
  ['/servers/{plain}/migrations', [23, 104]],
  ['/servers/{plain}/os-instance-actions', [1, 21, 58, 62, 104]],
  ['/servers/{plain}/shares', [97, 104]],
  ['/servers/{plain}/os-volume_attachments', [1, 70, 79, 89, 104]],
  ['/os-hypervisors', [1, 33, 53, 88, 104]],
  ['/os-hypervisors/detail?limit=1', [33, 53, 87, 88, 104]],
  ['/os-hypervisors/detail?hypervisor_hostname_pattern={host}', [53, 88, 104]],
  ['/os-hypervisors/{hypervisor}', [53, 88, 104]],
  ['/os-hypervisors/{hypervisor}?with_servers=True', [53, 104]],
  ['/os-services?binary=nova-compute', [1, 11, 53, 69, 104]],
  ['/os-services?binary=nova-compute&host={host}', [53, 104]],
  ['/flavors/{flavor}', [1, 55, 61, 75, 102, 104]],
  ['/flavors/{flavor}/os-extra_specs', [1, 104]],
  ['/flavors/detail?is_public=None&limit=1', [1, 55, 61, 75, 104]],
  ['/os-migrations?instance_uuid={plain}', [1, 23, 59, 80, 104]],
  ['/os-server-groups?all_projects=True', [1, 104]],
  ['/os-availability-zone', [1, 104]],
];

/** The outlines of Nova's responses at their microversions. */
export const computeReadCases: readonly ContractCase[] = reads.flatMap(([path, minors]) =>
  minors.map((minor): ContractCase => ({ service: 'compute', path, microversion: `2.${minor}` })),
);
