/** Dialogs that ask. */
export const dialogs = {
  'outOfDate.title': 'This has changed since you opened it',
  'outOfDate.states': 'It was {before} and is now {now}.',
  'outOfDate.look': 'Look at it before you go on.',
  'outOfDate.impossible': 'This can no longer be done.',
  'outOfDate.closed': '“{title}” was closed: what it was about is gone or has changed',
  'dialog.keep': 'Keep as it is',
  'dialog.notNow': 'Not now',
  'dialog.failed': '{label} failed',
} as const;
