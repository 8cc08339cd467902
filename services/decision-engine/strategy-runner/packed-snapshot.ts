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
  const rowOf = createCommonRows();
  const commons: CommonPart[] = [];
  const commonOf = Uint32Array.from(instanceInfo, ({ uuid: _uuid, name: _name, created: _created, ...common }) => {
    const row = rowOf(common, commons.length);
    if (row === commons.length) commons.push(common);
    return row;
  });
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

/** A tree of attribute names and values, by turns. */
interface Branch {
  next: Map<unknown, Branch>;
  row: number;
}

/** Finds the row of an equal common part, or sets it to `next`. Attributes are compared by identity. */
function createCommonRows(): (common: CommonPart, next: number) => number {
  const root: Branch = { next: new Map(), row: -1 };
  return (common, next) => {
    let branch = root;
    for (const part of Object.entries(common).flat()) {
      let following = branch.next.get(part);
      if (following === undefined) {
        following = { next: new Map(), row: -1 };
        branch.next.set(part, following);
      }
      branch = following;
    }
    if (branch.row < 0) branch.row = next;
    return branch.row;
  };
}
