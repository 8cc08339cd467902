import type { dialogs as english } from '../en/dialogs.ts';

/** Dialoge, die fragen. */
export const dialogs: Record<keyof typeof english, string> = {
  'outOfDate.title': 'Das hat sich geändert, seit Sie es geöffnet haben',
  'outOfDate.states': 'Es war {before} und ist jetzt {now}.',
  'outOfDate.look': 'Sehen Sie es sich an, bevor Sie weitermachen.',
  'outOfDate.impossible': 'Das geht nicht mehr.',
  'outOfDate.closed': '„{title}“ wurde geschlossen: Worum es ging, ist weg oder hat sich geändert',
  'dialog.keep': 'So lassen',
  'dialog.notNow': 'Nicht jetzt',
  'dialog.failed': '{label} ist fehlgeschlagen',
};
