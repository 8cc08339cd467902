/** Facts about a kind of refusal of a move by a service of the cloud. */
interface RefusalFacts {
  /** The reason, for reports. */
  text: string;
  /** Whether the destination is the reason. Another destination may then be accepted. */
  isOfDestination: boolean;
  /** Whether the reason persists until an operator or owner acts. Other reasons end soon or affect all moves. */
  lasts: boolean;
}

const ofInstance = { isOfDestination: false, lasts: true } as const;
const passing = { isOfDestination: false, lasts: false } as const;

/** By kind of refusal. */
export const refusalFacts = {
  no_valid_host: { text: 'no valid host was found', isOfDestination: true, lasts: true },
  destination: { text: 'the destination does not fit', isOfDestination: true, lasts: true },
  host_down: { text: 'the compute service was unavailable', isOfDestination: true, lasts: false },
  share: { ...ofInstance, text: 'it has a Manila share' },
  port: { ...ofInstance, text: 'its network ports do not allow it' },
  device: { ...ofInstance, text: 'its devices do not allow it' },
  state: { ...passing, text: 'its state did not allow it' },
  locked: { ...passing, text: 'it was locked' },
  quota: { ...passing, text: 'the quota of its project was used up' },
  policy: { ...passing, text: 'the policy of the cloud does not allow it' },
  other: { ...ofInstance, text: 'for a reason that the action shows' },
} as const satisfies Readonly<Record<string, RefusalFacts>>;

/** Kind of the reason why a service of the cloud refused to move an instance or a volume. */
export type RefusalReason = keyof typeof refusalFacts;
