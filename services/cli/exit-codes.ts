/** Exit codes of the client and of processes with their meaning, for help and manual. */
export const exitCodes: readonly (readonly [string, string])[] = [
  ['0', 'done'],
  ['1', 'request refused, or the awaited work failed'],
  ['2', 'usage error'],
  ['3', 'no response in time'],
  ['4', 'the plan partially succeeded: --max-migrations left out some actions'],
  ['5', 'vigil whatif: it does not fit'],
  ['6', 'vigil whatif: unknown whether it fits'],
  ['75', 'process: name already in use'],
  ['78', 'process: invalid configuration'],
  ['130, 143', 'interrupted; the requested work continues'],
  ['141', 'the reader of the output closed the pipe'],
];
