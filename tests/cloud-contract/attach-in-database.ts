import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

/** A port of Neutron with its `binding:vnic_type`, or a share of Manila. */
export type Attachment = { port: string } | 'share';

/**
 * Attaches something to a server, named by its uuid, that Nova's own API cannot attach in this cloud. Returns the
 * detachment, which precedes the deletion of the server.
 */
export type Attach = (server: string, attachment: Attachment) => Promise<() => Promise<void>>;

const limitMs = 30_000;

/**
 * Attaches ports and shares by rows of Nova's cell database, for clouds without Neutron and Manila. Nova's API reads
 * both there when it decides about an operation. `command` is a shell command that runs the SQL of its standard input
 * in that database. Both returned functions throw with the command's output when it fails. A share without Manila must
 * be detached: Nova cannot unmount it, and the server would remain in ERROR.
 */
export function createDatabaseAttachments(command: string): Attach {
  return async (server, attachment) => {
    const isShare = attachment === 'share';
    await run(command, isShare ? shareRow(server) : portRow(server, attachment));
    return () => run(command, isShare ? withoutShares(server) : networkInfoRow(server, []));
  };
}

function shareRow(server: string): string {
  const values = [randomUUID(), server, randomUUID(), 'active', 'contract', 'contract:/share', 'NFS'];
  const columns = 'uuid, instance_uuid, share_id, status, tag, export_location, share_proto';
  return `INSERT INTO share_mapping (created_at, ${columns}) VALUES (NOW(), '${values.join("', '")}');`;
}

function withoutShares(server: string): string {
  return `DELETE FROM share_mapping WHERE instance_uuid = '${server}';`;
}

function portRow(server: string, { port: vnicType }: Exclude<Attachment, 'share'>): string {
  const vif = {
    id: randomUUID(),
    address: 'fa:16:3e:00:00:01',
    network: { id: randomUUID(), bridge: 'br-int', label: 'contract', subnets: [], meta: {} },
    type: 'ovs',
    details: {},
    devname: 'tap0',
    active: true,
    vnic_type: vnicType,
    profile: {},
    preserve_on_delete: true,
    meta: {},
  };
  return networkInfoRow(server, [vif]);
}

function networkInfoRow(server: string, ports: readonly object[]): string {
  return `UPDATE instance_info_caches SET network_info = '${JSON.stringify(ports)}' WHERE instance_uuid = '${server}';`;
}

async function run(command: string, statement: string): Promise<void> {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'pipe'], timeout: limitMs });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  child.stdin.end(statement);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`OS_CONTRACT_NOVA_SQL ended with ${code}: ${output.slice(-2000)}`);
}
