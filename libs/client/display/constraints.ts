import { phraseOf } from './words.ts';

/** Reasons in an instance or a volume itself, which keep it where it is. Each continues a sentence about it. */
const keeping: Readonly<Record<string, string>> = {
  'instance-excluded': 'the scope of the audit excludes it',
  'instance-locked': 'is locked',
  'instance-busy': 'a task runs on it',
  'instance-state': 'its state does not allow a move',
  'instance-cooling-down': 'was moved recently',
  'migration-failed': 'its last migration failed recently',
  'migration-type-disabled': 'the parameters of the audit rule out its kind of migration',
  'volume-bound': 'has a volume that only its host reaches',
  'uncounted-resource': 'has devices or resources that the model does not count',
  'huge-pages': 'has huge pages, which no API counts',
  vtpm: 'has an emulated TPM, which Nova does not move in this way',
  'source-down': 'the compute service of its host is down',
  'source-up': 'the compute service of its host is up',
  'server-groups-unknown': 'the server groups of Nova could not be listed',
  'capability-unknown': 'its flavor demands a capability that no API shows',
  'manila-share': 'has a Manila share',
  'shares-unknown': 'its Manila shares could not be read',
  'port-accelerator': 'has a network port with an accelerator',
  'port-device': 'has a network port that needs a device of its host (SR-IOV or vDPA)',
  'port-resources': 'has a network port with guaranteed bandwidth or packets',
  'hint-query': 'has the scheduler hint query, which only Nova can judge',
  'hint-near-host': 'has the scheduler hint build_near_host_ip, which only Nova can judge',
  'rule-leave-alone': 'a placement rule leaves it alone',
  'instance-without-metric': 'has no measured load',
  'volume-status': 'its status does not allow a move',
  'volume-migrating': 'is being migrated',
  'volume-snapshots': 'has snapshots',
  'volume-multiattach': 'is attached to several servers',
  'volume-group': 'is in a volume group',
  'volume-replicated': 'is replicated',
  'volume-encrypted': 'is encrypted',
  'volume-unplaced': 'is in no pool',
  'local-disk': 'has a disk on its host',
};

/** Other reasons, most of them in a destination. */
const others: Readonly<Record<string, string>> = {
  'same-host': 'is the present host',
  'host-down': 'its compute service is down',
  'host-disabled': 'its compute service is disabled',
  'forced-down': 'its compute service is forced down',
  'disabled-by-others': 'another user disabled its compute service',
  'not-fenced': 'is down, and not known to be fenced',
  'destination-refused': 'Nova recently refused this destination',
  coverage: 'too little of its load is measured',
  'host-without-metric': 'has no measured load',
  vcpu: 'too few vCPUs are free',
  'dedicated-cpu': 'too few dedicated CPUs are free',
  memory: 'too little memory is free',
  disk: 'too little disk space is free',
  affinity: 'the server group keeps its members on one host',
  'anti-affinity': 'the server group keeps its members apart',
  zone: 'is in another availability zone',
  cell: 'is in another cell',
  'aggregate-isolation': 'an aggregate reserves the host for others',
  trait: 'the traits of the host do not fit',
  numa: 'the host does not show its NUMA nodes',
  'shared-disk': 'the shared storage has too little room, or is another one',
  'hypervisor-type': 'has another type of hypervisor',
  'hypervisor-version': 'has an older hypervisor',
  'cpu-architecture': 'has CPUs of another architecture',
  'cpu-model': 'has another CPU model',
  capability: 'the host lacks a capability that the flavor demands',
  'hint-different-host': 'the scheduler hint different_host keeps two servers apart',
  'hint-same-host': 'the scheduler hint same_host keeps two servers on one host',
  'rule-together': 'a placement rule keeps it with others',
  'rule-apart': 'a placement rule keeps it apart from others',
  'rule-hosts': 'a placement rule does not admit it to the host',
  'no-other-host': 'no other host can take it',
  'no-room-below-threshold': 'no other host can take it and stay below the threshold',
  'overload-remains': 'remains overloaded',
  'failure-reserve': 'is kept as reserve for the failure of a host',
  'migration-budget': 'the budget of migrations is used up',
  'move-budget': 'the number of moves that audits may make in an hour is reached',
  'price-of-migrations': 'the migrations would cost more than they gain',
  'woken-lately': 'a plan has enabled it in the last hour',
  'foreign-allocation': 'Placement has an allocation there that belongs to no known instance',
  'host-without-room': 'no host has room for its instances',
  'destinations-not-for-all': 'not all of its instances find another host',
  'same-pool': 'is the present pool',
  'same-type': 'is the present type',
  'unknown-type': 'the volume type is unknown',
  'pool-down': 'the service of the pool is down',
  'pool-disabled': 'the service of the pool is disabled',
  'pool-type': 'the pool does not serve the volume type',
  'pool-capacity': 'the pool has too little room',
  'pool-oversubscription': 'the pool would be oversubscribed',
  'pool-left-alone': 'the parameters of the audit leave the pool alone',
  'pool-without-size': 'the backend reports no size',
};

/** Whether a constraint keeps an instance or a volume where it is, for all destinations. */
export function keepsInPlace(constraint: string): boolean {
  return Object.hasOwn(keeping, constraint);
}

/** A constraint as the end of a sentence, such as `has a Manila share`. Others, of plugins, as words. */
export function constraintPhrase(constraint: string): string {
  const known = keepsInPlace(constraint)
    ? keeping[constraint]
    : Object.hasOwn(others, constraint) && others[constraint];
  return known || phraseOf(constraint);
}

/** A constraint as a reason in a report, such as `kept where it is: has a Manila share`. */
export function constraintReason(constraint: string): string {
  const phrase = constraintPhrase(constraint);
  return keepsInPlace(constraint) ? `kept where it is: ${phrase}` : phrase;
}
