import type { ContractCase } from './contract-case.ts';

const one = 'resources=VCPU:1,MEMORY_MB:64';

/** Paths of `GET /allocation_candidates`, with the microversions in which their meaning changed. */
const candidates: readonly [query: string, minors: readonly number[]][] = [
  [`${one}&in_tree={provider}`, [31, 36, 39]],
  [`${one}&in_tree={provider}&limit=1`, [36]],
  [`${one}&in_tree={provider}`, [30]],
  [`${one}&in_tree={unknown}`, [36]],
  [`${one}&in_tree=nonsense`, [36]],
  ['resources=VCPU:999999&in_tree={provider}', [36]],
  ['resources=VCPU:1&required=CUSTOM_NONE', [36, 39]],
  ['resources=VCPU:1&required=!CUSTOM_NONE', [36]],
  ['resources=VCPU:1&in_tree={provider}&required=COMPUTE_NODE', [36]],
  ['resources=VCPU:1&in_tree={provider}&required=!COMPUTE_NODE', [36]],
  ['resources=VCPU:1&member_of={unknown}', [36]],
  ['resources=VCPU:1&member_of=nonsense', [36]],
  ['resources=VCPU', [36]],
  ['resources=VCPU:0', [36]],
  ['resources=NO_SUCH_CLASS:1', [36]],
  ['resources=CUSTOM_NO_SUCH_CLASS:1', [36]],
  ['resources=VGPU:1&in_tree={provider}', [36]],
  ['in_tree={provider}', [36]],
  ['required=COMPUTE_NODE', [36]],
  ['', [36]],
  ['resources1=VCPU:1&resources2=MEMORY_MB:64', [36]],
  ['resources1=VCPU:1&resources2=MEMORY_MB:64&group_policy=none&in_tree1={provider}&in_tree2={provider}', [36]],
  ['resources1=VCPU:1&resources2=MEMORY_MB:64&group_policy=nonsense', [36]],
  ['resources_A=VCPU:1&in_tree_A={provider}', [32, 33]],
  ['resources=VCPU:1&nonsense=1', [36]],
  ['resources=VCPU:1&limit=0', [36]],
  ['resources=VCPU:1&limit=nonsense', [36]],
  ['resources=VCPU:1&root_required=CUSTOM_NONE', [36]],
  ['resources=VCPU:1&same_subtree=_A', [36]],
];

const reads: readonly [path: string, minors: readonly number[]][] = [
  ['/resource_providers?name={host}', [0, 14, 39]],
  ['/resource_providers?in_tree={provider}', [14]],
  ['/resource_providers?nonsense=1', [36]],
  ['/resource_providers?uuid=nonsense', [36]],
  ['/resource_providers?resources=VCPU:1&name={host}', [36]],
  ['/resource_providers/{provider}', [0, 14, 39]],
  ['/resource_providers/{unknown}', [36]],
  ['/resource_providers/{provider}/inventories', [0, 39]],
  ['/resource_providers/{provider}/inventories/VCPU', [39]],
  ['/resource_providers/{unknown}/inventories', [39]],
  ['/resource_providers/{provider}/usages', [39]],
  ['/resource_providers/{unknown}/usages', [39]],
  ['/resource_providers/{provider}/traits', [5, 6, 39]],
  ['/resource_providers/{unknown}/traits', [39]],
  ['/resource_providers/{unknown}/aggregates', [39]],
  ['/resource_providers/{unknown}/allocations', [39]],
  ['/allocations/{plain}', [0, 12, 28, 38, 39]],
  ['/allocations/{unknown}', [0, 39]],
  ['/traits?name=in:COMPUTE_NODE', [36]],
  ['/no-such-collection', [36]],
  ['/resource_providers', [999]],
];

function at(path: string, minors: readonly number[]): ContractCase[] {
  return minors.map((minor) => ({ service: 'placement', path, microversion: `1.${minor}` }));
}

/** Reads of Placement, and the questions to it about one destination. */
export const placementCases: readonly ContractCase[] = [
  ...candidates.flatMap(([query, minors]) => at(`/allocation_candidates?${query}`, minors)),
  ...at(`/allocation_candidates?${one}`, [9]),
  ...reads.flatMap(([path, minors]) => at(path, minors)),
  { service: 'placement', path: '/resource_providers', token: 'wrong' },
];
