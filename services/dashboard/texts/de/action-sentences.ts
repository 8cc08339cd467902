import type { SentenceForm } from '../sentence-forms.ts';

/** Warum eine Strategie eine Aktion vorschlägt. Längere Formen stehen vor den kürzeren, die auch passen. */
export const deActionSentences: readonly SentenceForm[] = [
  // Zusätze nach der Begründung.
  [
    '{sentence} {subject} avoids {avoided} host minutes near a limit within a day, at a price of {price} host minutes.',
    '{sentence} {subject} vermeidet an einem Tag {avoided} Host-Minuten nahe an einer Grenze und kostet {price} Host-Minuten.',
  ],
  [
    '{sentence} {subject} causes {caused} host minutes near a limit within a day, at a price of {price} host minutes.',
    '{sentence} {subject} verursacht an einem Tag {caused} Host-Minuten nahe an einer Grenze und kostet {price} Host-Minuten.',
  ],
  ['It', 'Die Migration'],
  ['The exchange', 'Der Tausch'],
  [
    '{sentence} It changes places with {partner}, since no single move helps.',
    '{sentence} Der Platz wird mit {partner} getauscht, denn keine einzelne Migration hilft.',
  ],
  ['{sentence} The destination is named: {because}.', '{sentence} Das Ziel ist festgelegt: {because}.'],
  ["Nova does not know the operator's rules", 'Nova kennt die Regeln des Betreibers nicht'],
  ['Nova does not know {limits}', 'Nova kennt {limits} nicht'],
  ['the emptied hosts that stay enabled', 'die geleerten Hosts, die aktiviert bleiben,'],
  ['the reserve for failures', 'die Reserve für Ausfälle'],
  ['the target utilization', 'die Zielauslastung'],
  [
    'Nova could choose a host outside the scope of the audit',
    'Nova könnte einen Host außerhalb des Bereichs des Audits wählen',
  ],
  ['hints of instances name each other', 'Scheduler-Hinweise von Instanzen nennen einander'],
  [
    'a choice of Nova could leave no room for other migrations of the plan',
    'Eine Wahl von Nova könnte anderen Migrationen des Plans keinen Platz lassen',
  ],
  ['{sentence} It comes from {host}.', '{sentence} Die Instanz kommt von {host}.'],
  [
    '{host} has no room for {name} before others leave, which wait for room on {source}. Until then, {same} waits on {buffer}.',
    '{host} hat keinen Platz für {name}, bevor andere gehen, die auf Platz auf {source} warten. Bis dahin wartet {same} auf {buffer}.',
  ],
  // Ausgleich nach gemessener Last oder Belegung.
  [
    'Moving {name} takes the {metric} of {source} from {before} to {after} and of {target} from {was} to {is}; the deviation across hosts falls from {wide} to {narrow}.',
    '{metric}: Die Migration von {name} bringt {source} von {before} auf {after} und {target} von {was} auf {is}; die Abweichung zwischen den Hosts sinkt von {wide} auf {narrow}.',
  ],
  [
    '{name} takes the {metric} of {source} {change} (threshold {threshold} %), and that of {target}, in exchange for {partner}, {other}.',
    '{metric}: {name} bringt {source} {change} (Schwellwert {threshold} %) und, im Tausch gegen {partner}, {target} {other}.',
  ],
  [
    '{name} takes the {metric} of {source} {change} (threshold {threshold} %), and that of {target}, {other}.',
    '{metric}: {name} bringt {source} {change} (Schwellwert {threshold} %) und {target} {other}.',
  ],
  ['from {before} % to {after} %', 'von {before} % auf {after} %'],
  ['from {before} to {after} {unit}', 'von {before} auf {after} {unit}'],
  [
    '{name} takes {source} from {before} to {after} and {target} from {was} to {is} {quantity}; even is {low} to {high}.',
    '{name} bringt {source} von {before} auf {after} und {target} von {was} auf {is} {quantity}; gleichmäßig ist {low} bis {high}.',
  ],
  ['of {resource} allocated', 'belegt ({resource})'],
  ['CPU usage', 'CPU-Nutzung'],
  ['memory usage', 'Nutzung des Arbeitsspeichers'],
  ['disk I/O', 'Datenträger-E/A'],
  ['network traffic', 'Netzverkehr'],
  ['CPU steal', 'CPU-Steal'],
  ['CPU pressure', 'CPU-Druck'],
  // Optimierer.
  [
    '{clause}; it makes room for {name} and {count} other instance[s].',
    [
      '{clause}; das macht Platz für {name} und {count} weitere Instanz.',
      '{clause}; das macht Platz für {name} und {count} weitere Instanzen.',
    ],
  ],
  ['{clause}; it makes room for {name}.', '{clause}; das macht Platz für {name}.'],
  [
    '{name} leaves {source}, which is {excess} % above its {quantity}, and takes it to {after} % and {target} from {was} to {is} %, {share}',
    '{quantity}: {source} ist {excess} % über der Kapazität; {name} bringt diesen Host auf {after} % und {target} von {was} auf {is} %, {share}',
  ],
  [
    '{name} goes from {source} to {target}: with {others} off {same} that takes {quantity} there {change}, together {share}',
    '{quantity}: {name} zieht von {source} nach {target} um; mit {others} von {same} bringt das diesen Host {change}, zusammen {share}',
  ],
  [
    '{name} goes from {source} to {target}: {others} empties {emptied}, which takes the hosts in use from {before} to {after}, {share}; {filled}',
    '{name} zieht von {source} nach {target} um; {others} wird {emptied} leer; statt {before} sind dann {after} Hosts in Nutzung, {share}; {filled}',
  ],
  ['with {others} that', 'mit {others}'],
  ['that', 'dadurch'],
  ['{count} other migration[s]', ['{count} weiteren Migration', '{count} weiteren Migrationen']],
  ['together {share}', 'zusammen {share}'],
  ['{host} then has {used} of {capacity} vcpus allocated', 'auf {host} sind dann {used} von {capacity} vCPUs belegt'],
  [
    '{name} goes from {source} to {target}: other moves of the plan need that',
    '{name} zieht von {source} nach {target} um: Andere Migrationen des Plans brauchen das',
  ],
  [
    '{name} takes {quantity} of {source} from {before} to {after} and of {target} from {was} to {is} {unit}, {share}',
    '{quantity}: {name} bringt {source} von {before} auf {after} und {target} von {was} auf {is} {unit}, {share}',
  ],
  [
    '{name} takes {quantity} of {source} from {before} to {after} {unit}, {share}',
    '{quantity}: {name} bringt {source} von {before} auf {after} {unit}, {share}',
  ],
  ["{percent} % of the plan's gain", '{percent} % des Gewinns des Plans'],
  ['less than 1', 'weniger als 1'],
  ['which the plan makes up for elsewhere', 'was der Plan anderswo ausgleicht'],
  ['CPU load', 'CPU-Last'],
  ['memory', 'Arbeitsspeicher'],
  ['vcpus', 'vCPUs'],
  ['disk', 'Datenträger'],
  ['instances', 'Instanzen'],
  ['places', 'Plätze'],
  ['hosts', 'Hosts'],
  ['allocated {resource}', 'Belegung ({resource})'],
  ['members that break a server group', 'Mitglieder, die eine Servergruppe verletzen'],
  ['instances that break a rule', 'Instanzen, die eine Regel verletzen'],
  ['the use while disabled', 'Nutzung trotz Deaktivierung'],
  ['hosts in use', 'Hosts in Nutzung'],
  ['use under licences', 'Nutzung unter Lizenzen'],
  ['instances outside of their zone or aggregates', 'Instanzen außerhalb ihrer Zone oder ihrer Aggregate'],
  // Zusammenlegen auf weniger Hosts.
  [
    '{host} is empty after the plan; without it {after} of {before} hosts stay in use.',
    '{host} ist nach dem Plan leer; ohne diesen Host bleiben {after} von {before} Hosts in Nutzung.',
  ],
  [
    '{host} {state}; without it {after} of {before} hosts stay in use.',
    '{host} {state}; ohne diesen Host bleiben {after} von {before} Hosts in Nutzung.',
  ],
  ['is empty already', 'ist schon leer'],
  ['is empty after {count} migration[s]', ['ist nach {count} Migration leer', 'ist nach {count} Migrationen leer']],
  [
    '{host} is empty after {count} migration[s]; nothing new shall be scheduled to it.',
    [
      '{host} ist nach {count} Migration leer; nichts Neues soll dort starten.',
      '{host} ist nach {count} Migrationen leer; nichts Neues soll dort starten.',
    ],
  ],
  [
    'No enabled host has room for the excess of an overloaded one; {host} was disabled to save it and is used again.',
    'Kein aktivierter Host hat Platz für den Überschuss eines überlasteten; {host} war zum Sparen deaktiviert und wird wieder genutzt.',
  ],
  [
    'Moving {name} to {target} helps to empty {source}, which keeps {count} instance[s]; {filled}.',
    [
      'Die Migration von {name} nach {target} hilft, {source} zu leeren; dort bleibt {count} Instanz; {filled}.',
      'Die Migration von {name} nach {target} hilft, {source} zu leeren; dort bleiben {count} Instanzen; {filled}.',
    ],
  ],
  [
    '{source} uses {used} of {capacity} physical CPUs; moving {name} to {target} takes it to {after}, and {filled}.',
    '{source} nutzt {used} von {capacity} physischen CPUs; die Migration von {name} nach {target} verringert das auf {after}; {filled}.',
  ],
  [
    '{name} leaves {source}, which is to be freed, for {target}, the most loaded host that takes it; its CPU goes from {before} % to {after} %.',
    '{name} zieht von {source}, der frei werden soll, nach {target}, dem am stärksten belasteten Host mit Platz; dessen CPU-Last steigt von {before} % auf {after} %.',
  ],
  [
    '{host} {why}; Nova must not choose it as a destination while the plan runs.',
    '{host} {why}; Nova darf den Host nicht als Ziel wählen, solange der Plan läuft.',
  ],
  ['has no instance and shall stay so', 'hat keine Instanz und soll leer bleiben'],
  ['is being emptied', 'wird geleert'],
  ['{host} was disabled for the time of the plan only.', '{host} war nur für die Dauer des Plans deaktiviert.'],
  [
    '{name} leaves {host}, whose instances ({all}) all fit elsewhere, and {where}.',
    '{name} verlässt {host}, dessen Instanzen ({all}) alle anderswo Platz haben, und {where}.',
  ],
  ['goes to {target}: {room}, the least that suffice', 'zieht nach {target}: {room}, so wenige wie möglich'],
  ['moves {where} ({room})', 'zieht {where} ({room})'],
  ['{host} has {free} free vcpus', '{host} hat {free} freie vCPUs'],
  [
    '{host} has no instance; {free} such hosts are on, and {requested}.',
    '{host} hat keine Instanz; {free} solche Hosts sind eingeschaltet, und {requested}.',
  ],
  [
    '{host} is switched on, since {free} free hosts are on, and {requested}.',
    '{host} wird eingeschaltet: {free} freie Hosts sind eingeschaltet, und {requested}.',
  ],
  [
    '{reserve} free hosts are to be on for {used} hosts with instances',
    '{reserve} freie Hosts sollen es für {used} Hosts mit Instanzen sein',
  ],
  // Wartung, Ausfall und Rückkehr.
  [
    '{host} goes into maintenance with {count} instance[s]; nothing new may be scheduled to it.',
    [
      '{host} geht mit {count} Instanz in Wartung; nichts Neues darf dort starten.',
      '{host} geht mit {count} Instanzen in Wartung; nichts Neues darf dort starten.',
    ],
  ],
  [
    '{name} is stopped on {host}, since live and cold migration are both switched off.',
    '{name} wird auf {host} gestoppt, da Live- und Cold-Migration beide ausgeschaltet sind.',
  ],
  [
    '{name} leaves {host} by {type} migration {where}; remaining after it: {count} instance[s].',
    [
      '{name} verlässt {host} per Migration ({type}) {where}; danach bleibt {count} Instanz.',
      '{name} verlässt {host} per Migration ({type}) {where}; danach bleiben {count} Instanzen.',
    ],
  ],
  ['{where} ({host} has room)', '{where} ({host} hat Platz)'],
  ['where Nova chooses', 'an ein Ziel, das Nova wählt'],
  ['to the backup node {host}', 'zum Ersatzhost {host}'],
  ['to {host}', 'nach {host}'],
  [
    '{name} goes back to {host}, which it left for maintenance.',
    '{name} kehrt nach {host} zurück; die Instanz hatte diesen Host wegen Wartung verlassen.',
  ],
  ['{host} returns from maintenance ({reason}).', '{host} kehrt aus der Wartung zurück ({reason}).'],
  ['no reason was given', 'kein Grund angegeben'],
  [
    '{backup} is disabled and has to take the instances of {host}.',
    '{backup} ist deaktiviert und muss die Instanzen von {host} aufnehmen.',
  ],
  [
    '{name} ({state}) is rebuilt on {target}, since {host} is down and {fenced}.',
    '{name} ({state}) wird auf {target} neu aufgebaut: {host} ist ausgefallen und {fenced}.',
  ],
  ['fenced by the operator', 'vom Betreiber isoliert (Fencing)'],
  ['forced down', 'als ausgefallen markiert (forced down)'],
  // Zonen, Volumes und Temperatur.
  [
    '{clause}, the least allocated host outside the sources that takes it',
    '{clause}, dem am wenigsten belegten Host mit Platz außerhalb der Quellen',
  ],
  [
    '{name} leaves {host} by {type} migration to {target}',
    '{name} verlässt {host} per Migration ({type}) nach {target}',
  ],
  [
    '{pool} is used to {before} (threshold {threshold}); {name} of {size} GB {way}, which is then used to {after}.',
    '{pool} ist zu {before} belegt (Schwellwert {threshold}); {name} mit {size} GB {way}, dann zu {after} belegt.',
  ],
  ['{name} of {size} GB in {pool} {way}.', '{name} mit {size} GB in {pool} {way}.'],
  ['becomes {type} and so moves to {target}', 'erhält den Typ {type} und zieht damit nach {target}'],
  [
    'becomes {type} instead of {former}; its pool serves that type, so it may stay',
    'erhält den Typ {type} statt {former}; der Pool hat diesen Typ, das Volume kann also bleiben',
  ],
  [
    'becomes {type} instead of {former}, for which {pool} has room',
    'erhält den Typ {type} statt {former}; {pool} hat dafür Platz',
  ],
  ['moves to {target}', 'zieht nach {target}'],
  [
    '{host} blows out air of {degrees} °C (threshold {threshold} °C); {name} goes to {target}, at {cool} °C the coolest host that takes it.',
    'Die Abluft von {host} hat {degrees} °C (Schwellwert {threshold} °C); {name} zieht nach {target}, mit {cool} °C dem kühlsten Host mit Platz.',
  ],
  ['{name} goes to {target}, since {clause}.', '{name} zieht nach {target}: {clause}.'],
  ['{clause}, which hints at faulty hardware', '{clause}, was auf defekte Hardware hindeutet'],
  [
    'the airflow of {host} is {flow} (threshold {threshold}) with inlet {inlet}, power {power}',
    'Der Luftstrom von {host} ist {flow} (Schwellwert {threshold}) bei Zuluft {inlet}, Leistung {power}',
  ],
  ['unknown', 'unbekannt'],
  // Störende Nachbarn.
  ['{clause}; {name} goes to {target}.', '{clause}; {name} zieht nach {target}.'],
  [
    'On {host} the L3 cache of {victim} (priority {high}) fell {lost} while that of {noisy} (priority {low}) rose {gained}',
    'Auf {host} fiel der L3-Cache von {victim} (Priorität {high}) {lost}, während der von {noisy} (Priorität {low}) {gained} stieg',
  ],
  [
    'On {host} {waiting} while {noisy} (priority {low}) uses {cpus} CPUs',
    'Auf {host} {waiting}, während {noisy} (Priorität {low}) {cpus} CPUs nutzt',
  ],
  [
    '{victim} (priority {high}) waits for CPUs {percent} % of the time',
    'wartet {victim} (Priorität {high}) {percent} % der Zeit auf CPUs',
  ],
  [
    'something waits for CPUs {percent} % of the time, and {victim} has priority {high}',
    'wartet etwas {percent} % der Zeit auf CPUs, und {victim} hat Priorität {high}',
  ],
  ['{action} is entry {index} of the parameter actions.', '{action} ist Eintrag {index} des Parameters actions.'],
  ['Waits {seconds} s, as parameter para1 says.', 'Wartet {seconds} s, wie in Parameter para1 angegeben.'],
  // Ein Satz aus einem Teilsatz von oben.
  ['{clause}.', '{clause}.'],
];
