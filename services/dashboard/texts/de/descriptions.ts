import type { ApiNames } from '../texts.ts';
import { deParameterDescriptions } from './parameter-descriptions.ts';

/**
 * Deutsche Beschreibungen der mitgelieferten Kennzahlen, Strategien und Parameter, nach ihrem englischen Text.
 * Beschreibungen von Plugins bleiben unverändert.
 */
export const deDescriptions: ApiNames = {
  ...deParameterDescriptions,
  'Number of instances that can be migrated live.': 'Instanzen, die live migriert werden können.',
  'Number of instances that can be migrated live and are in the plan.':
    'Instanzen, die live migriert werden können und im Plan stehen.',
  'Number of instances that can be migrated cold.': 'Instanzen, die cold migriert werden können.',
  'Number of instances that can be migrated cold and are in the plan.':
    'Instanzen, die cold migriert werden können und im Plan stehen.',
  'Number of detached volumes that can be migrated.': 'Nicht eingebundene Volumes, die migriert werden können.',
  'Number of detached volumes that can be migrated and are in the plan.':
    'Nicht eingebundene Volumes, die migriert werden können und im Plan stehen.',
  'Number of attached volumes that can be migrated.': 'Eingebundene Volumes, die migriert werden können.',
  'Number of attached volumes that can be migrated and are in the plan.':
    'Eingebundene Volumes, die migriert werden können und im Plan stehen.',
  'Enabled compute nodes that were considered.': 'Betrachtete aktivierte Hosts.',
  'Compute nodes that the plan frees.': 'Hosts, die der Plan freimacht.',
  'Migrations in the plan.': 'Migrationen im Plan.',
  'Instances in the model.': 'Instanzen im Modell.',
  'Spread of the load over hosts that the plan leads to.': 'Streuung der Last der Hosts nach dem Plan.',
  'Spread of the load over hosts before the plan.': 'Streuung der Last der Hosts vor dem Plan.',
  'Possible gain before the plan: 100, or 0 where no better placement exists.':
    'Möglicher Gewinn vor dem Plan: 100, oder 0 ohne bessere Platzierung.',
  'Possible gain that remains after the plan; 0 is the bound for every plan.':
    'Möglicher Gewinn nach dem Plan. 0 ist die Grenze für jeden Plan.',
  'Memory of the instances that the plan moves.': 'Arbeitsspeicher der Instanzen, die der Plan migriert.',
  'Proposes two messages and a short sleep. It changes nothing, and tests the path from the audit to the applier.':
    'Schlägt zwei Meldungen und eine kurze Wartezeit vor. Sie ändert nichts und zeigt, dass die ganze Kette läuft.',
  'Empties one compute node for maintenance. It disables the compute service, then moves every instance to the backup node, or to the node that Nova chooses. It reports instances that cannot leave.':
    'Leert einen Host für die Wartung: Sein Dienst wird deaktiviert, dann wird jede Instanz auf den Ersatzhost oder einen von Nova gewählten Host migriert. Nicht migrierbare Instanzen stehen im Bericht.',
  'Frees compute nodes: relieves overloaded ones, then empties hosts one by one by moving all their instances to hosts that stay in use, and disables the emptied hosts. Measured use must fit the physical size of a host, allocations its overcommitted capacity.':
    'Macht Hosts frei: Sie entlastet überlastete Hosts, leert dann einen nach dem anderen und deaktiviert die geleerten. Die gemessene Nutzung muss in die physische Größe eines Hosts passen, die Belegung in seine überbuchte Kapazität.',
  'Evens out CPU or memory load: when the standard deviation of the load over compute nodes exceeds a threshold, it migrates instances live, the most useful move first, until the deviation is halved and below the thresholds.':
    'Gleicht die Last von CPU oder Arbeitsspeicher aus: Überschreitet die Streuung der Last einen Schwellwert, migriert sie Instanzen live, die nützlichste Migration zuerst. Sie endet, wenn die Streuung unter den Schwellwerten liegt und halbiert ist.',
  'Separates instances that disturb each other. When an instance of high priority waits for CPUs (steal, ready time or pressure) that an instance of lower priority on the same host uses, the latter moves to another host. Without such a measurement, a loss of L3 cache counts. The metadata watcher-priority is the priority: lower numbers matter more. Deprecated, as in Watcher.':
    'Wartet eine Instanz mit hoher Priorität auf CPUs, die eine Instanz mit niedriger Priorität auf demselben Host nutzt, wird die zweite migriert. Ohne eine solche Messung zählt der L3-Cache, den sie der ersten nimmt. Die Priorität steht in den Metadaten watcher-priority: Kleine Zahlen sind wichtiger. Veraltet, wie in Watcher.',
  'Relieves hosts whose outlet air is too hot: one instance of each such host moves to the coolest host with room. The effect of a move on the temperature is unknown in advance, so each run moves one instance per host.':
    'Entlastet Hosts mit zu heißer Abluft: Von jedem wird eine Instanz auf den kühlsten geeigneten Host migriert. Die Wirkung auf die Temperatur ist vorher unbekannt. Deshalb migriert ein Lauf nur eine Instanz je Host.',
  'Keeps a reserve of powered-on hosts without instances, and switches off the others. When the reserve is too small, it switches hosts on. Requires a bare metal service with the machines of the compute nodes.':
    'Lässt einige Hosts ohne Instanzen als Reserve eingeschaltet und schaltet weitere aus; ist die Reserve zu klein, schaltet sie Hosts ein. Sie braucht einen Bare-Metal-Dienst, der die Maschinen der Hosts kennt.',
  'Relieves storage pools above a threshold: volumes move to pools that stay below it, by migration if their type allows it, otherwise by a change to an equal type of another backend.':
    'Bringt zu volle Speicherpools unter einen Schwellwert: Volumes werden in Pools migriert, die selbst darunter bleiben. Lässt ihr Typ das nicht zu, wechseln sie zu einem gleichen Typ eines anderen Backends.',
  'Relieves the host with the strongest airflow. A strong airflow without a hot inlet or high power indicates faulty hardware, and the host is emptied. Otherwise one instance moves.':
    'Entlastet den Host mit dem stärksten Luftstrom. Ein starker Luftstrom ohne Wärme am Einlass und ohne hohe Leistung deutet auf einen Defekt hin: Dann wird der Host geleert. Sonst wird eine Instanz migriert.',
  'Moves instances off compute nodes and volumes off storage pools, by priority. Each run plans the next moves, within the limits per plan, compute node and storage pool.':
    'Migriert Instanzen von Hosts und Volumes von Speicherpools, schrittweise und nach Priorität: Jeder Lauf plant die nächsten, innerhalb der Grenzen je Plan, Host und Speicherpool.',
  'Proposes exactly the actions in its parameters, so operators can run their own plan.':
    'Schlägt genau die Aktionen vor, die ihre Parameter nennen. So lässt sich ein eigener Plan ausführen.',
  'Spreads instances evenly over compute nodes by their number, or by allocated vcpus or memory, with the fewest migrations. It needs no metrics, and also spreads idle instances, for example after a failover.':
    'Verteilt Instanzen gleichmäßig auf die Hosts, nach ihrer Anzahl oder nach belegten vCPUs oder Arbeitsspeicher, mit den wenigsten Migrationen. Sie braucht keine Messwerte und verteilt auch Instanzen ohne Last, etwa nach einem Failover.',
  'Frees compute nodes, starting with the least loaded one: moves all its instances to the most loaded hosts with room, and disables it. A host that cannot be emptied completely stays unchanged. Hosts whose load stays high are relieved first.':
    'Macht Hosts frei: Beginnend mit dem am wenigsten belasteten migriert sie alle Instanzen eines Hosts auf die am stärksten belasteten geeigneten Hosts und deaktiviert ihn. Ein Host, der nicht ganz leer wird, bleibt unverändert. Hosts mit dauerhaft hoher Last werden zuerst entlastet.',
  'Ends a maintenance: enables compute nodes again, and optionally returns the instances that left them. Nodes that are down, or that another user disabled, are reported and stay unchanged.':
    'Rückkehr aus host_maintenance: Sie aktiviert Hosts wieder und migriert auf Wunsch ihre Instanzen zurück. Hosts, die ausgefallen oder von einem anderen Benutzer deaktiviert sind, stehen im Bericht und bleiben unverändert.',
  'Empties compute nodes one after the other for maintenance. The next node follows when the service of the previous one is enabled again. Run it as a CONTINUOUS audit. It stops when actions fail or a node cannot be emptied. It can be limited to a time of day.':
    'Leert Hosts nacheinander für die Wartung: den nächsten, sobald der Dienst des vorigen wieder aktiviert ist. Sie läuft als Audit der Art CONTINUOUS. Sie hält an, wenn Aktionen fehlschlagen oder ein Host sich nicht leeren lässt, und hält eine Tageszeit ein.',
  'Proposes messages, a sleep, and migrations and a resize of two nonexistent instances. It shows how a plan orders such actions. The applier skips actions whose instance does not exist.':
    'Schlägt Meldungen, eine Wartezeit sowie Migrationen und eine Größenänderung zweier Instanzen vor, die es in keiner Cloud gibt. Sie zeigt die Reihenfolge solcher Aktionen; der Applier überspringt Aktionen ohne Instanz.',
  'Calls the sample scoring engines with invented telemetry, and proposes messages with their results. It shows how a strategy uses scoring engines.':
    'Ruft die Beispiel-Bewertungen mit erfundenen Messwerten auf und schlägt Meldungen mit deren Ergebnissen vor. Sie zeigt, wie eine Strategie Bewertungen nutzt.',
  'Moves instances from the compute nodes with the fewest allocated vcpus to those with the most. Where loads are measured, it relieves hosts whose load stays high, and fills no host above the target. The plan names the destinations, or Nova chooses them while emptied and free nodes are disabled.':
    'Leert die Hosts mit den wenigsten belegten vCPUs in die mit den meisten. Bei gemessener Last entlastet sie Hosts mit dauerhaft hoher Last und füllt keinen über die Zielauslastung. Die Ziele wählt Nova, während geleerte und freie Hosts für die Zeit des Plans deaktiviert sind, oder der Plan nennt sie.',
  'Relieves compute nodes whose CPU or memory load, summed over their instances, has reached a threshold: instances migrate live to the least loaded nodes that stay below it.':
    'Entlastet Hosts, deren Last von CPU oder Arbeitsspeicher einen Schwellwert erreicht, als Summe ihrer Instanzen: Instanzen werden live auf die am wenigsten belasteten Hosts migriert, die darunter bleiben.',
  'Rebuilds the instances of failed compute nodes on other nodes. A node counts as failed when its compute service is down and it is fenced: forced down in Nova, or named by the operator. A node that only stopped reporting is never evacuated, because its guests may still run.':
    'Startet die Instanzen ausgefallener Hosts auf anderen. Ein Host gilt als ausgefallen, wenn sein Compute-Dienst steht und er isoliert ist: in Nova auf „forced down“ gesetzt oder vom Betreiber genannt. Ein Host, der sich nur nicht meldet, wird nie evakuiert, denn seine Instanzen laufen vielleicht noch.',
  'Relieves hot hosts with few migrations, to the hosts with the most headroom, and moves nothing while no host is near a limit. The preset even searches for the best balance of CPU load and memory within a number of migrations. It reports the distance of the plan to the best possible one. Every action of the plan is an improvement, so the plan may be stopped at any time.':
    'Entlastet heiße Hosts mit wenigen Migrationen auf die Hosts mit dem größten Spielraum. Ohne Host nahe einer Grenze ändert sie nichts. Mit der Vorgabe even sucht sie den besten Ausgleich von CPU-Last und Arbeitsspeicher für eine Zahl von Migrationen. Sie nennt den Abstand des Plans zum bestmöglichen. Jeder Teil des Plans bringt eine Verbesserung, daher kann der Plan jederzeit angehalten werden.',
  'Searches for the plan that frees the most hosts within a number of migrations. Of such plans it prefers those that keep large hosts and move little memory. It keeps the failure reserve, makes no host hot, and reports the least number of hosts that any plan needs. Hosts whose load stays high are relieved first.':
    'Sucht den Plan, der mit einer Zahl von Migrationen die meisten Hosts freimacht, dabei große Hosts behält und wenig Arbeitsspeicher migriert. Sie erhält die Ausfallreserve, macht keinen Host heiß und nennt die kleinste Zahl von Hosts, die ein Plan braucht. Hosts mit dauerhaft hoher Last werden zuerst entlastet.',
  'Searches for the best placement by a preset: balance, consolidate, defragment, licences, or repair_only. Levels are compared in order: broken rules, risks, the aim, the price of the migrations. It reports the distance of the plan to the best possible one.':
    'Sucht die beste Platzierung für eine Vorgabe: balance, consolidate, defragment, licences oder repair_only. Die Stufen zählen der Reihe nach: verletzte Regeln, Risiken, die Vorgabe, die Kosten der Migrationen. Sie nennt den Abstand des Plans zum bestmöglichen.',
};
