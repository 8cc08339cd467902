import type { SentenceForm } from '../sentence-forms.ts';

/** Hinweise in Berichten über Last, Nutzen, Ausgleich und geleerte Hosts. */
export const deReportSentences: readonly SentenceForm[] = [
  // Messung und Last.
  [
    '{count} host[s] [is|are] left alone as source and as destination: less than {percent} % of the allocations there is measured',
    [
      '{count} Host gibt nichts ab und nimmt nichts auf: Dort sind weniger als {percent} % der Belegung gemessen',
      '{count} Hosts geben nichts ab und nehmen nichts auf: Dort sind weniger als {percent} % der Belegung gemessen',
    ],
  ],
  [
    '{count} unmeasured instance[s] [counts|count] with {percent} % of the allocation of each, the mean of the measured ones',
    [
      '{count} nicht gemessene Instanz zählt mit {percent} % ihrer Belegung, dem Mittelwert der gemessenen',
      '{count} nicht gemessene Instanzen zählen mit {percent} % ihrer Belegung, dem Mittelwert der gemessenen',
    ],
  ],
  [
    '{count} host[s] [is|are] left alone: the load has not stayed at the threshold for {windows} periods of {seconds} s, beyond its noise',
    [
      '{count} Host bleibt, wie er ist: Seine Last blieb nicht {windows} Perioden von {seconds} s lang am Schwellwert, vom Rauschen abgesehen',
      '{count} Hosts bleiben, wie sie sind: Ihre Last blieb nicht {windows} Perioden von {seconds} s lang am Schwellwert, vom Rauschen abgesehen',
    ],
  ],
  [
    '{count} instance[s] [gets|get] less than {percent} % of the demanded processor time: {instances}; the rest counts as load',
    [
      '{count} Instanz erhält weniger als {percent} % der verlangten Prozessorzeit: {instances}; der Rest zählt als Last',
      '{count} Instanzen erhalten weniger als {percent} % der verlangten Prozessorzeit: {instances}; der Rest zählt als Last',
    ],
  ],
  [
    'the part of the demanded processor time that {count} instance[s] [gets|get] is unknown',
    [
      'Welchen Teil der verlangten Prozessorzeit {count} Instanz erhält, ist unbekannt',
      'Welchen Teil der verlangten Prozessorzeit {count} Instanzen erhalten, ist unbekannt',
    ],
  ],
  [
    'the part of the demanded processor time that instances get is unknown: no source measures steal or ready time',
    'Welchen Teil der verlangten Prozessorzeit Instanzen erhalten, ist unbekannt: Keine Quelle misst Steal oder Ready-Zeit',
  ],
  [
    'instances wait for CPUs on {count} host[s] (part of the time: {hosts}); which of them is unknown without steal or ready time',
    [
      'Auf {count} Host warten Instanzen auf CPUs (Anteil der Zeit: {hosts}); welche, ist ohne Steal und Ready-Zeit unbekannt',
      'Auf {count} Hosts warten Instanzen auf CPUs (Anteil der Zeit: {hosts}); welche, ist ohne Steal und Ready-Zeit unbekannt',
    ],
  ],
  // Nutzen und Preis.
  [
    'the plan avoids {avoided} host minutes near a limit within a day, at a price of {price} host minutes',
    'Der Plan vermeidet an einem Tag {avoided} Host-Minuten nahe an einer Grenze und kostet {price} Host-Minuten',
  ],
  [
    'the plan causes {caused} host minutes near a limit within a day, at a price of {price} host minutes',
    'Der Plan verursacht an einem Tag {caused} Host-Minuten nahe an einer Grenze und kostet {price} Host-Minuten',
  ],
  [
    'the plan has all {budget} migrations of its budget; the next audit continues',
    'Der Plan nutzt alle {budget} Migrationen seines Budgets; das nächste Audit setzt fort',
  ],
  [
    'the standard deviation of the used share rises from {before} to {after}: {relieved} are relieved all the same',
    'Die Standardabweichung des genutzten Anteils steigt von {before} auf {after}: Entlastet wird trotzdem ({relieved})',
  ],
  [
    'the standard deviation of {quantity} over the hosts rises from {before} to {after}: the other gains of the plan outweigh it',
    'Die Standardabweichung über die Hosts steigt bei {quantity} von {before} auf {after}: Die anderen Gewinne des Plans wiegen mehr',
  ],
  [
    '{count} migration[s] of {size} GiB, {minutes} minutes one after the other; the points change: {changes}; no plan can be below {least}',
    [
      '{count} Migration mit {size} GiB, nacheinander {minutes} Minuten; die Punkte ändern sich: {changes}; kein Plan kommt unter {least}',
      '{count} Migrationen mit {size} GiB, nacheinander {minutes} Minuten; die Punkte ändern sich: {changes}; kein Plan kommt unter {least}',
    ],
  ],
  [
    '{count} migration[s] of {size} GiB, {minutes} minutes one after the other',
    [
      '{count} Migration mit {size} GiB, nacheinander {minutes} Minuten',
      '{count} Migrationen mit {size} GiB, nacheinander {minutes} Minuten',
    ],
  ],
  ['broken rules from {before} to {after}, {clause}', 'verletzte Regeln {before} → {after}, {clause}'],
  ['broken rules from {before} to {after}', 'verletzte Regeln {before} → {after}'],
  ['risk from {before} to {after}, {clause}', 'Risiko {before} → {after}, {clause}'],
  ['risk from {before} to {after}', 'Risiko {before} → {after}'],
  ['aim from {before} to {after}', 'Ziel {before} → {after}'],
  [
    'no host is near a limit: {count} migration[s] of {size} GiB [is|are] the cost of balance alone; preset relief moves nothing here',
    [
      'Kein Host ist nahe an einer Grenze: {count} Migration mit {size} GiB kostet allein der Ausgleich; mit der Vorgabe relief zieht hier nichts um',
      'Kein Host ist nahe an einer Grenze: {count} Migrationen mit {size} GiB kostet allein der Ausgleich; mit der Vorgabe relief zieht hier nichts um',
    ],
  ],
  [
    '{count} migration[s] of the best placement found no place in an order, or gained nothing there',
    [
      '{count} Migration der besten Platzierung fand in keiner Reihenfolge einen Platz oder brachte dort nichts',
      '{count} Migrationen der besten Platzierung fanden in keiner Reihenfolge einen Platz oder brachten dort nichts',
    ],
  ],
  // Ausgleich.
  [
    '{over} host[s] [has|have] reached the threshold, {below} [is|are] below it; the average load of a host is {load}',
    'Am Schwellwert: {over}, darunter: {below} Hosts; die mittlere Last eines Hosts ist {load}',
  ],
  [
    '{count} host[s] [has|have] reached the threshold of {percent} %, and no instance there can move without bringing its host below the average or a destination to the threshold',
    [
      '{count} Host hat den Schwellwert von {percent} % erreicht, und jede Migration brächte ihn unter den Mittelwert oder ein Ziel an den Schwellwert',
      '{count} Hosts haben den Schwellwert von {percent} % erreicht, und jede Migration brächte sie unter den Mittelwert oder ein Ziel an den Schwellwert',
    ],
  ],
  [
    '{count} move[s] [was|were] judged; deviations that the plan leads to: {spread}',
    [
      '{count} Umzug wurde bewertet; Abweichungen nach dem Plan: {spread}',
      '{count} Umzüge wurden bewertet; Abweichungen nach dem Plan: {spread}',
    ],
  ],
  [
    'soft server groups with instances that move: {groups}; broken pairs: {before} before the plan, {after} after it ({verdict})',
    'Weiche Servergruppen mit umziehenden Instanzen: {groups}; verletzte Paare: {before} vor dem Plan, {after} danach ({verdict})',
  ],
  ['all that held are kept', 'alle eingehaltenen bleiben'],
  ['{more} more than before', '{more} mehr als vorher'],
  [
    'even is {low} to {high} per host ({unit}); {count} host[s] [is|are] outside before the plan and {left} after it',
    [
      'Gleichmäßig sind {low} bis {high} je Host ({unit}); {count} Host liegt vor dem Plan außerhalb und {left} danach',
      'Gleichmäßig sind {low} bis {high} je Host ({unit}); {count} Hosts liegen vor dem Plan außerhalb und {left} danach',
    ],
  ],
  ['allocated vcpus', 'belegte vCPUs'],
  ['allocated memory', 'belegter Arbeitsspeicher'],
  [
    '{count} compute node[s] [carries|carry] no even share, and no feasible migration brings them closer',
    [
      '{count} Host trägt keinen gleichmäßigen Anteil, und keine mögliche Migration ändert das',
      '{count} Hosts tragen keinen gleichmäßigen Anteil, und keine mögliche Migration ändert das',
    ],
  ],
  ['fewer than two compute nodes accept instances', 'Weniger als zwei Hosts nehmen Instanzen auf'],
  ['the compute nodes carry even shares already', 'Die Hosts tragen bereits gleichmäßige Anteile'],
  ['the search ended before it found a migration', 'Die Suche endete, bevor sie eine Migration fand'],
  [
    'the search ended early because {clause}; the next audit continues from there',
    'Die Suche endete vorzeitig: {clause}; das nächste Audit setzt dort fort',
  ],
  [
    'the work for exchanges was done; a larger share_tolerance needs less of it',
    'Der Aufwand für Tausche war verbraucht; eine größere share_tolerance braucht weniger',
  ],
  ['the time limit of strategies was near', 'Das Zeitlimit der Strategien war nahe'],
  ['the plan was requested', 'Der Plan wurde angefordert'],
  // Hosts leeren.
  [
    '{freed} of {hosts} enabled host[s] [is|are] freed by {count} migration[s]',
    [
      '{freed} von {hosts} aktivierten Hosts werden mit {count} Migration geleert',
      '{freed} von {hosts} aktivierten Hosts werden mit {count} Migrationen geleert',
    ],
  ],
  [
    '{hosts} host[s] [is|are] freed and {woken} enabled again by {count} migration[s] of {size} GiB memory',
    [
      'Mit {count} Migration mit {size} GiB Arbeitsspeicher: {hosts} Hosts geleert, {woken} wieder aktiviert',
      'Mit {count} Migrationen mit {size} GiB Arbeitsspeicher: {hosts} Hosts geleert, {woken} wieder aktiviert',
    ],
  ],
  [
    '{count} host[s] [is|are] left to the next audit by the budget of migrations',
    [
      '{count} Host bleibt wegen des Migrationsbudgets dem nächsten Audit',
      '{count} Hosts bleiben wegen des Migrationsbudgets dem nächsten Audit',
    ],
  ],
  [
    '{count} overloaded host[s] [is|are] relieved by {moves} migration[s], and {woken} enabled again',
    [
      '{count} überlasteter Host wird entlastet (Migrationen: {moves}), wieder aktiviert: {woken}',
      '{count} überlastete Hosts werden entlastet (Migrationen: {moves}), wieder aktiviert: {woken}',
    ],
  ],
  [
    '{count} host[s] [is|are] emptied, such as {hosts}',
    ['{count} Host wird geleert: {hosts}', '{count} Hosts werden geleert, so {hosts}'],
  ],
  [
    '{hosts} host[s] [is|are] emptied by {count} migration[s] of {size} GiB',
    [
      'Geleerte Hosts: {hosts}, mit {count} Migration mit {size} GiB',
      'Geleerte Hosts: {hosts}, mit {count} Migrationen mit {size} GiB',
    ],
  ],
  [
    '{domains} [stays|stay] in use as the reserve for the failure of {count} host[s] of each domain',
    [
      'In Nutzung bleiben als Reserve für den Ausfall von {count} Host jeder Domäne: {domains}',
      'In Nutzung bleiben als Reserve für den Ausfall von {count} Hosts jeder Domäne: {domains}',
    ],
  ],
  ['no compute node can be emptied into the others completely', 'Kein Host kann ganz in die anderen geleert werden'],
  [
    'no compute node can be emptied into the others completely, with the reserve for failures kept',
    'Kein Host kann bei gewahrter Reserve für Ausfälle ganz in die anderen geleert werden',
  ],
  [
    'no more than the reserve of {count} compute node[s] can be emptied into the others completely',
    [
      'Nur die Reserve von {count} Host kann ganz in die anderen geleert werden',
      'Nur die Reserve von {count} Hosts kann ganz in die anderen geleert werden',
    ],
  ],
  [
    'no more than the reserve of {count} compute node[s] can be emptied into the others completely, with the reserve for failures kept',
    [
      'Bei gewahrter Reserve für Ausfälle kann nur die Reserve von {count} Host ganz in die anderen geleert werden',
      'Bei gewahrter Reserve für Ausfälle kann nur die Reserve von {count} Hosts ganz in die anderen geleert werden',
    ],
  ],
  [
    'no compute node can be emptied into those with more allocated vcpus',
    'Kein Host kann in Hosts mit mehr belegten vCPUs geleert werden',
  ],
  [
    'no compute node can be emptied into those with more allocated vcpus, with the reserve for failures kept',
    'Kein Host kann bei gewahrter Reserve für Ausfälle in Hosts mit mehr belegten vCPUs geleert werden',
  ],
  [
    'only the requested reserve can be emptied: {count} compute node[s]',
    [
      'Nur die angeforderte Reserve kann geleert werden: {count} Host',
      'Nur die angeforderte Reserve kann geleert werden: {count} Hosts',
    ],
  ],
  [
    'no host is overloaded, and emptying {count} host[s] costs more than a day without it is worth',
    [
      'Kein Host ist überlastet, und {count} Host zu leeren kostet mehr, als ein Tag ohne ihn wert ist',
      'Kein Host ist überlastet, und {count} Hosts zu leeren kostet mehr, als ein Tag ohne sie wert ist',
    ],
  ],
  [
    '{count} host[s] [has|have] instances; free hosts: {on} on, {off} off, {required} required',
    [
      '{count} Host hat Instanzen; freie Hosts: {on} ein, {off} aus, {required} nötig',
      '{count} Hosts haben Instanzen; freie Hosts: {on} ein, {off} aus, {required} nötig',
    ],
  ],
  [
    '{count} free host[s] [is|are] on, which failure domains need as their reserve',
    [
      '{count} freier Host ist eingeschaltet; Ausfalldomänen brauchen ihn als Reserve',
      '{count} freie Hosts sind eingeschaltet; Ausfalldomänen brauchen sie als Reserve',
    ],
  ],
  [
    '{count} free host[s] [is|are] on where {required} should be, and no other host can be switched on',
    [
      '{count} freier Host ist eingeschaltet; {required} sollten es sein, und kein weiterer kann eingeschaltet werden',
      '{count} freie Hosts sind eingeschaltet; {required} sollten es sein, und kein weiterer kann eingeschaltet werden',
    ],
  ],
  [
    '{count} machine[s] [carries|carry] no compute node of this audit',
    ['{count} Maschine trägt keinen Host dieses Audits', '{count} Maschinen tragen keinen Host dieses Audits'],
  ],
];
