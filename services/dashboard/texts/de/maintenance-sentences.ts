import type { SentenceForm } from '../sentence-forms.ts';

/** Hinweise in Berichten über Wartung, Ausfall, Zonen, Speicher, Temperatur und verletzte Regeln. */
export const deMaintenanceSentences: readonly SentenceForm[] = [
  // Wartung, Ausfall, Zonen.
  [
    '{host} is down: nothing leaves it by migration; once it is fenced, failed_host_evacuation helps',
    '{host} ist ausgefallen: Migrationen können ihn nicht leeren; sobald er isoliert ist (Fencing), hilft failed_host_evacuation',
  ],
  [
    'backup node {host} cannot take all instances together; Nova chooses the destinations',
    'Der Ersatzhost {host} kann nicht alle Instanzen aufnehmen; Nova wählt die Ziele',
  ],
  [
    '{left} of {count} instance[s] cannot leave the host',
    [
      '{left} von {count} Instanz kann den Host nicht verlassen',
      '{left} von {count} Instanzen können den Host nicht verlassen',
    ],
  ],
  [
    '{host} is down but not known to be fenced: force it down in Nova, or name it in fenced_hosts',
    '{host} ist ausgefallen, aber nicht sicher isoliert (Fencing): In Nova forced_down setzen oder in fenced_hosts nennen',
  ],
  ['{host} is up: its instances are not evacuated', '{host} läuft: Seine Instanzen werden nicht evakuiert'],
  [
    '{left} of {count} instance[s] [stays|stay] on failed compute nodes',
    [
      '{left} von {count} Instanz bleibt auf ausgefallenen Hosts',
      '{left} von {count} Instanzen bleiben auf ausgefallenen Hosts',
    ],
  ],
  [
    'affinity group {group} is wholly on failed hosts: its {count} instance[s] ({names}) must move together to one host; {clause}',
    [
      'Die Affinitätsgruppe {group} liegt ganz auf ausgefallenen Hosts: Ihre {count} Instanz ({names}) muss auf einen Host; {clause}',
      'Die Affinitätsgruppe {group} liegt ganz auf ausgefallenen Hosts: Ihre {count} Instanzen ({names}) müssen zusammen auf einen Host; {clause}',
    ],
  ],
  ['hosts with room for all of them: {hosts}', 'Hosts mit Platz für alle: {hosts}'],
  ['no host has room for all of them', 'kein Host hat Platz für alle'],
  [
    '{count} volume[s] [is|are] in the source pools, {planned} of them planned',
    [
      '{count} Volume ist in den Quell-Pools, geplant: {planned}',
      '{count} Volumes sind in den Quell-Pools, geplant: {planned}',
    ],
  ],
  [
    'server {server} of volume {volume} is on none of the source nodes and stays',
    'Server {server} des Volumes {volume} ist auf keinem der Quellhosts und bleibt',
  ],
  [
    'nothing is left to move: no instance on the source nodes and no volume in the source pools',
    'Nichts ist mehr umzuziehen: keine Instanz auf den Quellhosts und kein Volume in den Quell-Pools',
  ],
  ['parallel_total allows no migration', 'parallel_total erlaubt keine Migration'],
  [
    'none of {count} instance[s] and {volumes} volume[s] can leave',
    [
      'Weder {count} Instanz noch Volumes ({volumes}) können umziehen',
      'Weder {count} Instanzen noch Volumes ({volumes}) können umziehen',
    ],
  ],
  [
    '{host} is a source and a destination: arrivals there leave with the next run',
    '{host} ist Quelle und Ziel: Was dort ankommt, zieht mit dem nächsten Lauf weiter',
  ],
  [
    '{count} move[s] [waits|wait] for the next run: parallel_total, _per_node and _per_pool limit a plan',
    [
      '{count} Umzug wartet auf den nächsten Lauf: parallel_total, _per_node und _per_pool begrenzen einen Plan',
      '{count} Umzüge warten auf den nächsten Lauf: parallel_total, _per_node und _per_pool begrenzen einen Plan',
    ],
  ],
  [
    '{count} move[s] [waits|wait] for the next run: other moves of this plan must first free the room',
    [
      '{count} Umzug wartet auf den nächsten Lauf: Andere Umzüge dieses Plans müssen erst Platz schaffen',
      '{count} Umzüge warten auf den nächsten Lauf: Andere Umzüge dieses Plans müssen erst Platz schaffen',
    ],
  ],
  ['there is no compute node {host} in the scope of the audit', 'Im Bereich des Audits gibt es keinen Host {host}'],
  ['there is no storage pool {pool} in the scope of the audit', 'Im Bereich des Audits gibt es keinen Pool {pool}'],
  [
    '{count} storage pool[s] with {volumes} volume[s]; {over} at or above {percent} %, {below} below',
    [
      '{count} Pool mit {volumes} Volumes; bei mindestens {percent} %: {over}, darunter: {below}',
      '{count} Pools mit {volumes} Volumes; bei mindestens {percent} %: {over}, darunter: {below}',
    ],
  ],
  [
    '{pool} stays at {percent} %, since nothing more can go',
    '{pool} bleibt bei {percent} %, weil nichts weiter umziehen kann',
  ],
  ['no storage pool is used to {percent} % or more', 'Kein Pool ist zu {percent} % oder mehr belegt'],
  ['no storage pool is used to less than {percent} %', 'Kein Pool ist zu weniger als {percent} % belegt'],
  [
    'no volume of a pool that is too full can go to a pool that stays below the threshold',
    'Kein Volume eines zu vollen Pools kann in einen, der unter dem Schwellwert bleibt',
  ],
  [
    '{count} host[s] [is|are] at or above {degrees} °C, {below} below',
    [
      '{count} Host hat {degrees} °C oder mehr, {below} weniger',
      '{count} Hosts haben {degrees} °C oder mehr, {below} weniger',
    ],
  ],
  [
    'no host has an outlet temperature of {degrees} °C or more',
    'Kein Host hat eine Ablufttemperatur von {degrees} °C oder mehr',
  ],
  ['no host has an outlet temperature below {degrees} °C', 'Kein Host hat eine Ablufttemperatur unter {degrees} °C'],
  ['no instance of a hot host can go to a cooler one', 'Keine Instanz eines heißen Hosts kann auf einen kühleren'],
  [
    '{done} of {all} node[s] done, {working} in maintenance, {waiting} waiting',
    '{done} von {all} Hosts fertig, {working} in Wartung, {waiting} warten',
  ],
  [
    '{host} cannot be emptied completely and is left unchanged',
    '{host} kann nicht ganz geleert werden und bleibt unverändert',
  ],
  [
    'stopped at {host}: nothing further starts until it can be emptied or is removed from the list',
    'Bei {host} angehalten: Weitere starten erst, wenn er geleert werden kann oder nicht mehr in der Liste steht',
  ],
  [
    '{host} waits for the next plan: this one moves instances to it',
    '{host} wartet auf den nächsten Plan: Dieser bringt Instanzen dorthin',
  ],
  [
    '{host} waits for {other}: {domains} keeps room for the failure of {count} host[s]',
    [
      '{host} wartet auf {other}: {domains} hält Platz für den Ausfall von {count} Host',
      '{host} wartet auf {other}: {domains} hält Platz für den Ausfall von {count} Hosts',
    ],
  ],
  [
    '{host} is the last host in use of {domains}; the applier refuses to disable the last one of a zone or aggregate',
    '{host} ist der letzte genutzte Host von {domains}; den letzten einer Zone oder eines Aggregats deaktiviert der Applier nicht',
  ],
  ['no node can be started now', 'Kein Host kann jetzt in Wartung gehen'],
  [
    'the maintenance is done ({count} node[s]); the audit can be ended',
    [
      'Die Wartung ist abgeschlossen ({count} Host); das Audit kann beendet werden',
      'Die Wartung ist abgeschlossen ({count} Hosts); das Audit kann beendet werden',
    ],
  ],
  [
    '{host} is in maintenance; the next node starts when its compute service is enabled again',
    '{host} ist in Wartung; der nächste Host folgt, wenn der Compute-Dienst dort wieder aktiviert ist',
  ],
  [
    '{hosts} are in maintenance; the next node starts when one of their compute services is enabled again',
    '{hosts} sind in Wartung; der nächste Host folgt, wenn einer der Compute-Dienste wieder aktiviert ist',
  ],
  ['outside of the window from {start} to {end} UTC', 'Außerhalb des Fensters von {start} bis {end} UTC'],
  [
    'no node can return now: they are down, forced down, or were disabled by others',
    'Kein Host kann jetzt zurückkehren: Sie sind ausgefallen, forced_down oder von anderen deaktiviert',
  ],
  [
    'the nodes are enabled already and no instances have to move back',
    'Die Hosts sind bereits aktiviert, und keine Instanz muss zurück',
  ],
  [
    'the nodes that are up are enabled already and no instances have to move back',
    'Die laufenden Hosts sind bereits aktiviert, und keine Instanz muss zurück',
  ],
  [
    '{host} is forced down in Nova. After evacuations, Nova refuses to clear forced_down until nova-compute on {same} has restarted.',
    '{host} ist in Nova forced_down. Nach Evakuierungen hebt Nova das erst auf, wenn nova-compute auf {same} neu gestartet ist.',
  ],
  // Fehler in Parametern und fehlende Messwerte.
  [
    '{parameter}: there is no compute node {host} in the scope of the audit; did you mean {near}?',
    '{parameter}: Im Bereich des Audits gibt es keinen Host {host}; ist {near} gemeint?',
  ],
  [
    '{parameter}: there is no compute node {host} in the scope of the audit',
    '{parameter}: Im Bereich des Audits gibt es keinen Host {host}',
  ],
  [
    '{parameter}: no instance in the scope of the audit has the flavor {flavor}; did you mean {near}?',
    '{parameter}: Keine Instanz im Bereich des Audits hat den Flavor {flavor}; ist {near} gemeint?',
  ],
  [
    '{parameter}: no instance in the scope of the audit has the flavor {flavor}',
    '{parameter}: Keine Instanz im Bereich des Audits hat den Flavor {flavor}',
  ],
  [
    '{strategy} found no value of {metrics} in the last {seconds} s; check that the history source is reachable and receives samples',
    '{strategy} fand in den letzten {seconds} s keinen Wert von {metrics}; bitte prüfen, ob die Datenquelle erreichbar ist und Werte erhält',
  ],
  // Verletzte Regeln.
  [
    'broken today: {clause}: {misplaced} misplaced ({instances} on {hosts}); {verdict}',
    'Heute verletzt: {clause}: {misplaced} falsch platziert ({instances} auf {hosts}); {verdict}',
  ],
  ['server group {name} (anti-affinity)', 'Servergruppe {name} (Anti-Affinität)'],
  ['server group {name} (affinity)', 'Servergruppe {name} (Affinität)'],
  ['the requested zone', 'die angeforderte Zone'],
  ['host aggregates', 'Host-Aggregate'],
  ['rule {name}', 'Regel {name}'],
  ['the plan repairs it', 'der Plan behebt es'],
  ['it remains', 'es bleibt'],
  ['{left} [remains|remain] after the plan', 'nach dem Plan noch {left}'],
  [
    'broken today: {count} more rule[s]',
    ['Heute verletzt: {count} weitere Regel', 'Heute verletzt: {count} weitere Regeln'],
  ],
  // Was andere Audits und frühere Pläne begrenzen.
  [
    '{count} migration[s] [is|are] left to the next audit by the budget of {budget}',
    [
      '{count} Migration über dem Budget von {budget} bleibt dem nächsten Audit',
      '{count} Migrationen über dem Budget von {budget} bleiben dem nächsten Audit',
    ],
  ],
  [
    'Placement was queried for {count} move[s] of instances with devices, of which it refused {refused}',
    [
      'Placement prüfte {count} Umzug von Instanzen mit Geräten, davon abgelehnt: {refused}',
      'Placement prüfte {count} Umzüge von Instanzen mit Geräten, davon abgelehnt: {refused}',
    ],
  ],
  [
    'network ports are not considered, so that Nova may refuse moves because of them: {reason}',
    'Netzwerk-Ports werden nicht berücksichtigt, sodass Nova Umzüge ihretwegen ablehnen kann: {reason}',
  ],
  [
    '{count} migration[s] [is|are] left to later audits: {made} of at most {most} moves of the cloud were made in the last hour',
    [
      '{count} Migration bleibt späteren Audits: In der letzten Stunde gab es {made} von höchstens {most} Umzügen der Cloud',
      '{count} Migrationen bleiben späteren Audits: In der letzten Stunde gab es {made} von höchstens {most} Umzügen der Cloud',
    ],
  ],
  [
    '{count} migration[s] [is|are] left to later audits: {made} of at most {most} moves from and to {host} were made in the last hour',
    [
      '{count} Migration bleibt späteren Audits: In der letzten Stunde gab es {made} von höchstens {most} Umzügen von und nach {host}',
      '{count} Migrationen bleiben späteren Audits: In der letzten Stunde gab es {made} von höchstens {most} Umzügen von und nach {host}',
    ],
  ],
  [
    '{count} instance[s] [is|are] left alone after moves: {names}',
    [
      '{count} Instanz bleibt nach Umzügen, wo sie ist: {names}',
      '{count} Instanzen bleiben nach Umzügen, wo sie sind: {names}',
    ],
  ],
  [
    '{count} instance[s] [is|are] left alone after failed migrations: {names}',
    [
      '{count} Instanz bleibt nach fehlgeschlagenen Migrationen, wo sie ist: {names}',
      '{count} Instanzen bleiben nach fehlgeschlagenen Migrationen, wo sie sind: {names}',
    ],
  ],
  [
    '{count} volume[s] [is|are] left alone after failed migrations: {names}',
    [
      '{count} Volume bleibt nach fehlgeschlagenen Migrationen, wo es ist: {names}',
      '{count} Volumes bleiben nach fehlgeschlagenen Migrationen, wo sie sind: {names}',
    ],
  ],
  [
    '{count} instance[s] [is|are] tried although migrations failed lately: {names}',
    [
      '{count} Instanz wird versucht, obwohl Migrationen kürzlich fehlschlugen: {names}',
      '{count} Instanzen werden versucht, obwohl Migrationen kürzlich fehlschlugen: {names}',
    ],
  ],
  [
    '{count} volume[s] [is|are] tried although migrations failed lately: {names}',
    [
      '{count} Volume wird versucht, obwohl Migrationen kürzlich fehlschlugen: {names}',
      '{count} Volumes werden versucht, obwohl Migrationen kürzlich fehlschlugen: {names}',
    ],
  ],
  [
    'audit {name} packs instances onto few hosts on {count} host[s] of this one: they undo each other',
    [
      'Audit {name} packt auf {count} Host von diesem Instanzen auf wenige Hosts: Beide machen einander rückgängig',
      'Audit {name} packt auf {count} Hosts von diesem Instanzen auf wenige Hosts: Beide machen einander rückgängig',
    ],
  ],
  [
    'audit {name} spreads load over hosts on {count} host[s] of this one: they undo each other',
    [
      'Audit {name} verteilt auf {count} Host von diesem Last auf die Hosts: Beide machen einander rückgängig',
      'Audit {name} verteilt auf {count} Hosts von diesem Last auf die Hosts: Beide machen einander rückgängig',
    ],
  ],
  ['{clause}, so this plan is computed with both aims', '{clause}; deshalb hat dieser Plan beide Ziele'],
  ['{clause}; cancel one, or give them other scopes', '{clause}; eines abbrechen oder andere Bereiche geben'],
  [
    'Not started automatically: the policy does not allow action_plan:start for {user}, the user of auto_trigger',
    'Nicht automatisch gestartet: Die Regeln erlauben {user} action_plan:start nicht; auto_trigger stammt von dort',
  ],
  [
    'Not started automatically: it has actions of type {type}, which need action_plan:remove_instances',
    'Nicht automatisch gestartet: Der Plan hat Aktionen vom Typ {type}; sie brauchen action_plan:remove_instances',
  ],
  [
    '{count} further node[s] [waits|wait] for other nodes of the failure domain',
    ['{count} weiterer Host wartet auf andere seiner Domäne', '{count} weitere Hosts warten auf andere ihrer Domäne'],
  ],
  [
    '{metric} is late in {source}: the newest values of {resources} resources are up to {seconds} s old',
    '{metric} kommt aus {source} verspätet: Die neuesten Werte von {resources} Ressourcen sind bis zu {seconds} s alt',
  ],
  [
    '{metric} is late: the newest values of {resources} resources are up to {seconds} s old',
    '{metric} kommt verspätet: Die neuesten Werte von {resources} Ressourcen sind bis zu {seconds} s alt',
  ],
  [
    '{metric} has impossible values in {source}, which count as missing: of {resources} resources (such as {examples}), up to {greatest}, above {most}',
    '{metric} hat unmögliche Werte aus {source}; sie zählen als fehlend: bei {resources} Ressourcen (etwa {examples}), bis zu {greatest}, über {most}',
  ],
  [
    '{metric} has impossible values, which count as missing: of {resources} resources (such as {examples}), up to {greatest}, above {most}',
    '{metric} hat unmögliche Werte; sie zählen als fehlend: bei {resources} Ressourcen (etwa {examples}), bis zu {greatest}, über {most}',
  ],
  // Domänen von Ausfällen, auch in Listen (`{domains}`).
  ['availability zone {domain}', 'Verfügbarkeitszone {domain}'],
  ['zone {domain}', 'Zone {domain}'],
  ['cell {domain}', 'Zelle {domain}'],
  ['aggregate {domain}', 'Aggregat {domain}'],
  ['storage {domain}', 'Speicher {domain}'],
  // Gekürzte Listen in anderen Sätzen.
  ['{domains} and {others} more', '{domains} und {others} weitere'],
];
