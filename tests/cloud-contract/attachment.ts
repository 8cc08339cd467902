/** A port of Neutron with its `binding:vnic_type`, or a share of Manila. */
export type Attachment = { port: string } | 'share';

/** Attaches something to a server, named by its uuid, that Nova's own API cannot attach in this cloud. */
export type Attach = (server: string, attachment: Attachment) => Promise<void>;
