import { deserialize, serialize } from 'node:v8';
import type { ComputeSnapshot, InstanceInfo } from '#libs/cluster-model';

/** A snapshot for threads. The attributes of its instances are in shared memory, where threads need no copy of them. */
export interface PackedSnapshot extends Omit<ComputeSnapshot, 'instanceInfo'> {
  instanceInfo: Uint8Array;
}

/** Attributes that differ from instance to instance. */
type OwnPart = Pick<InstanceInfo, 'uuid' | 'name' | 'created'>;

/** Attributes that many instances have in common, such as those of flavor, image and project. */
type CommonPart = Omit<InstanceInfo, keyof OwnPart>;

interface Attributes {
  uuids: string[];
  names: string[];
  created: string[];
  commons: CommonPart[];
  /** Row in `commons` of each instance. */
  commonOf: Uint32Array;
}

/** A model is used by several runs. */
const packed = new WeakMap<readonly InstanceInfo[], Uint8Array>();

/** Packs the attributes of the instances, once for each list of them. */
export function packSnapshot({ instanceInfo, ...rest }: ComputeSnapshot): PackedSnapshot {
  const known = packed.get(instanceInfo) ?? packAttributes(instanceInfo);
  packed.set(instanceInfo, known);
  return { ...rest, instanceInfo: known };
}

/** The snapshot that was packed. Equal common attributes of instances are one object. */
export function unpackSnapshot({ instanceInfo: bytes, ...rest }: PackedSnapshot): ComputeSnapshot {
  const { uuids, names, created, commons, commonOf } = deserialize(bytes) as Attributes;
  const instanceInfo = uuids.map((uuid, row): InstanceInfo => {
    const common = commons[commonOf[row] as number] as CommonPart;
    return { uuid, name: names[row] as string, ...common, created: created[row] as string };
  });
  return { ...rest, instanceInfo };
}

function packAttributes(instanceInfo: readonly InstanceInfo[]): Uint8Array {
  const { commons, commonOf } = groupCommons(instanceInfo);
  const attributes: Attributes = {
    uuids: instanceInfo.map(({ uuid }) => uuid),
    names: instanceInfo.map(({ name }) => name),
    created: instanceInfo.map((info) => info.created),
    commons,
    commonOf,
  };
  const bytes = serialize(attributes);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
  shared.set(bytes);
  return shared;
}

const ownNames: ReadonlySet<string> = new Set<keyof OwnPart>(['uuid', 'name', 'created']);

/** By the value of an attribute: the branch of the next attribute, or of the last one the row of the common part. */
type Branch = Map<unknown, Branch | number>;

/** The different common parts, and the row of each instance among them. Values are compared by identity. */
function groupCommons(instanceInfo: readonly InstanceInfo[]): Pick<Attributes, 'commons' | 'commonOf'> {
  const names = new Set<keyof CommonPart>();
  for (const info of instanceInfo)
    for (const name in info) if (!ownNames.has(name)) names.add(name as keyof CommonPart);
  const inner = [...names];
  const last = inner.pop();
  const root: Branch = new Map();
  const commons: CommonPart[] = [];
  const commonOf = Uint32Array.from(instanceInfo, (info) => {
    const branch = inner.reduce((at, name) => branchOf(at, info[name]), root);
    const value = last === undefined ? undefined : info[last];
    const known = branch.get(value) as number | undefined;
    if (known !== undefined) return known;
    const { uuid: _uuid, name: _name, created: _created, ...common } = info;
    const row = commons.push(common) - 1;
    branch.set(value, row);
    return row;
  });
  return { commons, commonOf };
}

function branchOf(branch: Branch, value: unknown): Branch {
  const known = branch.get(value) as Branch | undefined;
  if (known !== undefined) return known;
  const made: Branch = new Map();
  branch.set(value, made);
  return made;
}
