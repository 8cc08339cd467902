import type { SentenceForm } from '../sentence-forms.ts';

/** Meldungen an Plänen und Aktionen, und wie ein Rollback sie rückgängig macht. */
export const deStatusSentences: readonly SentenceForm[] = [
  ['One or more actions were skipped.', 'Mindestens eine Aktion wurde übersprungen.'],
  ['Action was skipped automatically: {reason}', 'Aktion automatisch übersprungen: {reason}'],
  ['Action failed in {phase}: {reason}', 'Aktion in {phase} fehlgeschlagen: {reason}'],
  ['The action {uuid} execution failed.', 'Die Aktion {uuid} ist fehlgeschlagen.'],
  [
    'Action plan was cancelled because Applier {host} was stopped while the action plan was ongoing.',
    'Aktionsplan abgebrochen, weil der Applier {host} während der Ausführung gestoppt wurde.',
  ],
  [
    'Action was cancelled because Applier {host} was stopped while the action plan was ongoing.',
    'Aktion abgebrochen, weil der Applier {host} während der Ausführung des Plans gestoppt wurde.',
  ],
  ['action {uuid} before it is {state}: {reason}', 'Die Aktion {uuid} davor ist {state}: {reason}'],
  ['Not executed because action {uuid} failed.', 'Nicht ausgeführt, weil die Aktion {uuid} fehlgeschlagen ist.'],
  ['Action plan was stopped: timeout after {seconds}s', 'Aktionsplan angehalten: Zeitüberschreitung nach {seconds} s'],
  ['Action plan abandoned after {takeovers} takeovers', 'Aktionsplan nach {takeovers} Übernahmen aufgegeben'],
  ['Action plan could not be executed: {reason}', 'Der Aktionsplan konnte nicht ausgeführt werden: {reason}'],
  [
    'Action plan was stopped: {failed} of {tried} actions failed',
    'Aktionsplan angehalten: {failed} von {tried} Aktionen sind fehlgeschlagen',
  ],
  [
    'Not executed because {failed} of {tried} actions failed.',
    'Nicht ausgeführt, weil {failed} von {tried} Aktionen fehlgeschlagen sind.',
  ],
  ['Action plan is paused.', 'Der Aktionsplan ist pausiert.'],
  [
    'Waiting for the maintenance window, which opens at {time}',
    'Wartet auf das Wartungsfenster, das um {time} beginnt',
  ],
  ["Waiting for the plan's own credential: {reason}", 'Wartet auf die eigenen Zugangsdaten des Plans: {reason}'],
  [
    'Not started: the plan gets no credential: {reason}',
    'Nicht gestartet: Der Plan erhält keine Zugangsdaten: {reason}',
  ],
  [
    'Held: the plan gets no credential: {reason}. Correct that, then start or cancel it.',
    'Angehalten: Der Plan erhält keine Zugangsdaten: {reason}. Beheben Sie das, dann starten oder brechen Sie ihn ab.',
  ],
  ['Superseded before it started: {reason}', 'Vor dem Start überholt: {reason}'],
  [
    'Waiting: the cloud does not show the state of this action ({reason})',
    'Wartet: Die Cloud zeigt den Zustand dieser Aktion nicht ({reason})',
  ],
  [
    'Action plan was stopped: its maintenance window is over',
    'Aktionsplan angehalten: Sein Wartungsfenster ist vorbei',
  ],
  [
    'Action was aborted because the action plan was cancelled.',
    'Aktion abgebrochen, weil der Aktionsplan abgebrochen wurde.',
  ],
  [
    'the action plan may start {migrations} migrations at most, and its step does not fit',
    'Der Aktionsplan darf höchstens {migrations} Migrationen starten, und der Schritt passt nicht hinein',
  ],
  [
    'its step is not whole: another migration of it is skipped',
    'Der Schritt ist unvollständig: Eine andere Migration davon ist übersprungen',
  ],
  ['Enabled again: the host still has {servers}', 'Wieder aktiviert: Der Host hat noch {servers}'],
  [
    'The service is missing, or another user disabled it since',
    'Der Dienst fehlt, oder ein anderer Benutzer hat ihn seither deaktiviert',
  ],
  [
    'Enabled again: it was disabled only while the plan ran',
    'Wieder aktiviert: Der Host war nur während des Plans deaktiviert',
  ],
  ['a previous alternative action succeeded', 'eine frühere alternative Aktion war erfolgreich'],
  [
    'Rollback was stopped because the action plan was cancelled.',
    'Rollback angehalten, weil der Aktionsplan abgebrochen wurde.',
  ],
  // Rollback einer Aktion.
  ['{clause}, if it took effect', '{clause}, falls die Aktion gewirkt hat'],
  ['Moves instance {name} back to {host}', 'Verschiebt Instanz {name} zurück nach {host}'],
  ['Starts instance {name} again', 'Startet Instanz {name} wieder'],
  ['{verb} the nova-compute service of {host} again', '{verb} den nova-compute-Dienst von {host} wieder'],
  ['Enables', 'Aktiviert'],
  ['Disables', 'Deaktiviert'],
  ['Gives instance {name} flavor {flavor} again', 'Gibt Instanz {name} wieder den Flavor {flavor}'],
  ['Leaves instance {name} unchanged', 'Lässt Instanz {name} unverändert'],
  ['Leaves {volume} unchanged', 'Lässt {volume} unverändert'],
  [
    'The evacuation of {name} cannot be undone. {source} takes instances again once its nova-compute has restarted and its forced_down is cleared, in this order.',
    'Die Evakuierung von {name} lässt sich nicht rückgängig machen. {source} nimmt wieder Instanzen auf, wenn erst nova-compute dort neu gestartet und dann forced_down aufgehoben ist.',
  ],
  ['This {action} cannot be undone', '{action} lässt sich nicht rückgängig machen'],
  ['Undoes {action} of {name}', 'Macht {action} von {name} rückgängig'],
  ['Enables {host} again', 'Aktiviert {host} wieder'],
  [
    'Enables again each host that action plan {plan} disabled and did not empty.',
    'Aktiviert jeden Host wieder, den Aktionsplan {plan} deaktiviert und nicht geleert hat.',
  ],
];
