import type { SentenceForm } from '../sentence-forms.ts';
import { deActionSentences } from './action-sentences.ts';
import { deMaintenanceSentences } from './maintenance-sentences.ts';
import { deReportSentences } from './report-sentences.ts';
import { deStatusSentences } from './status-sentences.ts';

/**
 * Häufige Sätze der Dienste in Berichten, Gründen und Meldungen. Sätze ohne Eintrag bleiben englisch. Ein Test prüft,
 * dass die Dienste jeden Satz so schreiben.
 */
export const deSentences: readonly SentenceForm[] = [
  // Warum ein Audit nichts vorschlägt.
  [
    'nothing can be gained: no plan is better than the current placement',
    'Kein Gewinn möglich: Kein Plan ist besser als die aktuelle Platzierung',
  ],
  [
    'nothing is far enough from its best to be worth a plan',
    'Nichts ist so weit vom Optimum entfernt, dass sich ein Plan lohnt',
  ],
  [
    'the best plan gains {gain} points of 100; the minimum gain is {least}',
    'Der beste Plan gewinnt {gain} von 100 Punkten; der Mindestgewinn ist {least}',
  ],
  ['no migration that is allowed improves anything', 'Keine erlaubte Migration bringt eine Verbesserung'],
  [
    'nothing can be gained: no plan needs fewer than {count} host[s]',
    [
      'Kein Gewinn möglich: Kein Plan kommt mit weniger als {count} Host aus',
      'Kein Gewinn möglich: Kein Plan kommt mit weniger als {count} Hosts aus',
    ],
  ],
  [
    'no host can be emptied into the others within the requested limits',
    'Kein Host kann innerhalb der angeforderten Grenzen in die anderen geleert werden',
  ],
  [
    '{count} migration[s] would lower the spread by hardly more than noise does: {spread}',
    [
      '{count} Migration würde die Streuung kaum mehr verringern als Rauschen: {spread}',
      '{count} Migrationen würden die Streuung kaum mehr verringern als Rauschen: {spread}',
    ],
  ],
  [
    'the spread of the load is within its thresholds: {spread}',
    'Die Streuung der Last liegt innerhalb ihrer Schwellwerte: {spread}',
  ],
  ['no instance with a load may be moved', 'Keine Instanz mit Last darf migriert werden'],
  [
    'no feasible move or exchange lowers the spread noticeably: {spread}',
    'Keine mögliche Migration und kein Tausch verringert die Streuung merklich: {spread}',
  ],
  [
    'no host is overloaded, and only the requested reserve can be emptied: {count} host[s]',
    [
      'Kein Host ist überlastet, und nur die angeforderte Reserve kann geleert werden: {count} Host',
      'Kein Host ist überlastet, und nur die angeforderte Reserve kann geleert werden: {count} Hosts',
    ],
  ],
  [
    'no host is overloaded, and none can be emptied completely with the budget of {count} migration[s]',
    [
      'Kein Host ist überlastet, und keiner kann mit dem Budget von {count} Migration ganz geleert werden',
      'Kein Host ist überlastet, und keiner kann mit dem Budget von {count} Migrationen ganz geleert werden',
    ],
  ],
  [
    'no host is overloaded, and no host can be emptied into the others completely',
    'Kein Host ist überlastet, und keiner kann ganz in die anderen geleert werden',
  ],
  [
    'no host is overloaded, and no host can be emptied into the others completely{reserve}',
    'Kein Host ist überlastet, und keiner kann ganz in die anderen geleert werden{reserve}',
  ],
  [', with the reserve for failures kept', ', wenn die Reserve für Ausfälle bleibt'],
  ['no enabled compute node has an instance', 'Kein aktivierter Host hat eine Instanz'],
  ['all instances are on one compute node already', 'Alle Instanzen sind bereits auf einem Host'],
  ['no host has stayed at the threshold of {percent} %', 'Kein Host blieb am Schwellwert von {percent} %'],
  ['no host has reached the threshold of {percent} %', 'Kein Host hat den Schwellwert von {percent} % erreicht'],
  [
    'all hosts have reached the threshold of {percent} %; there is no destination',
    'Alle Hosts haben den Schwellwert von {percent} % erreicht; es gibt kein Ziel',
  ],
  ['no host has an airflow of {threshold} or more', 'Kein Host hat einen Luftstrom von {threshold} oder mehr'],
  ['no host has an airflow below {threshold}', 'Kein Host hat einen Luftstrom unter {threshold}'],
  [
    'no host with a strong airflow can be relieved: hosts with a weaker one have no room for its instances',
    'Kein Host mit starkem Luftstrom kann entlastet werden: Hosts mit schwächerem haben keinen Platz für seine Instanzen',
  ],
  [
    'no important instance loses cache to one of lower priority that may be moved',
    'Keine wichtige Instanz verliert Cache an eine mit niedrigerer Priorität, die migriert werden darf',
  ],
  [
    'no important instance waits for CPUs that one of lower priority uses and that may be moved',
    'Keine wichtige Instanz wartet auf CPUs, die eine migrierbare Instanz mit niedrigerer Priorität nutzt',
  ],
  ['no other host takes any of the noisy instances', 'Kein anderer Host nimmt eine der störenden Instanzen auf'],
  ['{host} is already in maintenance and has no instance', '{host} ist bereits in Wartung und hat keine Instanz'],
  [
    '{host} is already in maintenance and cannot be emptied ({count} instance[s])',
    [
      '{host} ist bereits in Wartung und kann nicht geleert werden ({count} Instanz)',
      '{host} ist bereits in Wartung und kann nicht geleert werden ({count} Instanzen)',
    ],
  ],
  [
    '{count} free host[s] [is|are] on, which is the requested reserve',
    [
      '{count} freier Host ist eingeschaltet; das ist die angeforderte Reserve',
      '{count} freie Hosts sind eingeschaltet; das ist die angeforderte Reserve',
    ],
  ],
  [
    'none of {count} instance[s] on failed compute nodes can be evacuated',
    [
      'Keine von {count} Instanz auf ausgefallenen Hosts kann evakuiert werden',
      'Keine von {count} Instanzen auf ausgefallenen Hosts kann evakuiert werden',
    ],
  ],
  ['the failed compute nodes have no instances', 'Die ausgefallenen Hosts haben keine Instanzen'],
  ['no compute node is down', 'Kein Host ist ausgefallen'],
  [
    'no compute node that is down is known to be fenced',
    'Von keinem ausgefallenen Host ist bekannt, dass er isoliert ist (Fencing)',
  ],
  // Hinweise in Berichten.
  [
    'the scope leaves out {hosts} hosts and {instances} instances, and excludes {excluded} instances',
    'Der Bereich lässt {hosts} Hosts und {instances} Instanzen aus und schließt {excluded} Instanzen aus',
  ],
  ['the scope names {name}, which the cloud does not have', 'Der Bereich nennt {name}; das gibt es in der Cloud nicht'],
  [
    'no CPU load is measured: allocated vcpus count instead',
    'Keine CPU-Last ist gemessen: Stattdessen zählen belegte vCPUs',
  ],
  [
    'no use of memory is measured: its hot limit counts for nothing',
    'Keine Nutzung des Arbeitsspeichers ist gemessen: Ihre Grenze für heiße Hosts wirkt nicht',
  ],
  [
    '{count} unmeasured instance[s] of {all} [counts|count] by the mean of the measured ones',
    [
      '{count} nicht gemessene Instanz von {all} zählt mit dem Mittelwert der gemessenen',
      '{count} nicht gemessene Instanzen von {all} zählen mit dem Mittelwert der gemessenen',
    ],
  ],
  [
    '{count} host[s] [takes|take] no instance, and [gives|give] none for the sake of load: less than {percent} % of the allocations there is measured',
    [
      '{count} Host nimmt nichts auf und gibt wegen Last nichts ab: Dort sind weniger als {percent} % der Belegung gemessen',
      '{count} Hosts nehmen nichts auf und geben wegen Last nichts ab: Dort sind weniger als {percent} % der Belegung gemessen',
    ],
  ],
  ['the search ended at its budget after {moves} move[s]', 'Die Suche endete an ihrem Budget (Migrationen: {moves})'],
  [
    'no instance is moved ({count} instance[s]): the server groups of Nova could not be listed',
    [
      'Keine Instanz zieht um ({count} Instanz): Die Servergruppen von Nova konnten nicht gelesen werden',
      'Keine Instanz zieht um ({count} Instanzen): Die Servergruppen von Nova konnten nicht gelesen werden',
    ],
  ],
  [
    '{high} hosts have a strong airflow, {low} a weaker one',
    '{high} Hosts haben einen starken Luftstrom, {low} einen schwächeren',
  ],
  [
    '{count} instance[s] cannot leave {host}',
    ['{count} Instanz kann {host} nicht verlassen', '{count} Instanzen können {host} nicht verlassen'],
  ],
  [
    '{count} host[s] [has|have] a noisy neighbor',
    ['{count} Host hat einen störenden Nachbarn', '{count} Hosts haben einen störenden Nachbarn'],
  ],
  [
    'judged by waiting for CPUs (steal, ready time or pressure), not by L3 cache',
    'Maßgeblich ist das Warten auf CPUs (Steal, Ready-Zeit oder Druck), nicht der L3-Cache',
  ],
  [
    'noisy_neighbor is deprecated in Watcher since 2025.2 and may go in a later version',
    'noisy_neighbor ist in Watcher seit 2025.2 veraltet und kann in einer späteren Version wegfallen',
  ],
  // Warum die Wirkung eines Plans nicht gemessen ist.
  ['the plan ran on an earlier release', 'Der Plan lief unter einer früheren Version'],
  [
    'before: the plan ended before its first action, or ran on an earlier release',
    'vorher: Der Plan endete vor seiner ersten Aktion oder lief unter einer früheren Version',
  ],
  ['before: {reason}', 'vorher: {reason}'],
  ['after: {reason}', 'nachher: {reason}'],
  // Meldungen von Plänen und Audits.
  [
    'Not offered: its audit only reports (automation level 0)',
    'Nicht angeboten: Das Audit berichtet nur (Automatisierungsstufe 0)',
  ],
  ['The audit has been run again.', 'Das Audit wurde erneut ausgeführt.'],
  ['{error}; the audit is run again at {time}', '{error}; das Audit wird um {time} erneut ausgeführt'],
  [
    'Not started automatically: it waits for approval ({reason})',
    'Nicht automatisch gestartet: Der Plan wartet auf Freigabe ({reason})',
  ],
  ['Rolls back action plan {plan}.', 'Macht Aktionsplan {plan} rückgängig.'],
  [
    'Another size of it, action plan {plan}, was started.',
    'Eine andere Größe davon, Aktionsplan {plan}, wurde gestartet.',
  ],
  ['Cancelled on request before it started', 'Auf Wunsch vor dem Start abgebrochen'],
  ['Refused by {user}: {comment}', 'Abgelehnt von {user}: {comment}'],
  [
    'Not started within {hours} hours; the cluster has moved on.',
    'Nicht innerhalb von {hours} Stunden gestartet; der Cluster hat sich seither verändert.',
  ],
  ['Strategy {name} is no longer available.', 'Die Strategie {name} ist nicht mehr verfügbar.'],
  ...deStatusSentences,
  ...deActionSentences,
  ...deReportSentences,
  ...deMaintenanceSentences,
];
