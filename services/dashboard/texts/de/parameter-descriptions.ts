import type { ApiNames } from '../texts.ts';

/** Deutsche Beschreibungen der Parameter mitgelieferter Strategien, nach ihrem englischen Text. */
export const deParameterDescriptions: ApiNames = {
  'Seconds that the sleep action takes.': 'Dauer der Aktion sleep in Sekunden.',
  'Message of the second nop action.': 'Meldung der zweiten Aktion nop.',
  'A number that is logged.': 'Zahl für das Protokoll.',
  'A text that is logged.': 'Text für das Protokoll.',
  'Host name of the compute node to empty.': 'Name des zu leerenden Hosts.',
  'Host name of the compute node that takes all instances. Default: Nova chooses for each instance.':
    'Name des Hosts für alle Instanzen. Leer: Nova wählt.',
  'Never migrate live; active instances are migrated cold.':
    'Nie live migrieren. Laufende Instanzen werden cold migriert.',
  'Never migrate cold. Together with disable_live_migration active instances are stopped.':
    'Nie cold migrieren. Zusammen mit disable_live_migration werden laufende Instanzen gestoppt.',
  'Seconds before now over which metrics are averaged.':
    'Zeitraum bis jetzt in Sekunden, über den Messwerte gemittelt werden.',
  'Seconds between two stored samples, where the source has several series.':
    'Sekunden zwischen zwei gespeicherten Messwerten, wenn die Quelle mehrere Reihen hat.',
  'Maximum migrations in a plan; 0: no limit. Default: the configuration of the engine.':
    'Höchstzahl der Migrationen eines Plans. 0: keine Grenze. Standard: Konfiguration der Decision Engine.',
  'Number of hosts that could be freed but stay available, in addition to the reserve of failure domains.':
    'Freimachbare Hosts, die genutzt oder leer bleiben, zusätzlich zu den Hosts für Ausfallbereiche.',
  'Aggregate of the samples of the window; 5 % of the samples exceed p95.':
    'Aggregation der Messwerte des Zeitraums. 5 % der Messwerte liegen über p95.',
  'Minimum percent of the allocations of a host that must be measured for its load to count. Default 80. Other hosts are neither source nor destination.':
    'Mindestanteil der gemessenen Belegung eines Hosts in Prozent, Standard 80. Hosts darunter sind weder Quelle noch Ziel.',
  'Hosts of every failure domain (zone, aggregate reserved for projects, flavors, images or traits, cell) that may fail simultaneously: the others have room for their instances. Default: `VIGIL_FAILURE_RESERVE`, which is 1; 0: no reserve.':
    'Hosts jedes Ausfallbereichs (Zone, reserviertes Aggregat, Zelle), die gleichzeitig ausfallen dürfen. Ihre Instanzen passen auf die anderen Hosts. Standard: `VIGIL_FAILURE_RESERVE`, also 1. 0: keine Reserve.',
  'Maximum percent to which consolidation fills a compute node: of its capacity by allocations, and of its physical CPUs and memory by measured use. Default: 80 each. 100 fills hosts completely, as Watcher does.':
    'Maximale Füllung eines Hosts durch Konsolidierung in Prozent: seiner Kapazität nach Belegung, seiner physischen CPUs und seines Arbeitsspeichers nach gemessener Nutzung. Standard je 80. 100 füllt Hosts vollständig, wie Watcher.',
  'Instance metrics whose spread across hosts is reduced.':
    'Metriken der Instanzen, deren Streuung über die Hosts verringert wird.',
  'Standard deviation of the load (0 to 1) above which the strategy acts, by metric.':
    'Je Metrik die Streuung der Last (0 bis 1), ab der die Strategie handelt.',
  'Weight of each metric in the common deviation; names end in _weight.':
    'Gewicht jeder Metrik in der gemeinsamen Streuung. Die Namen enden auf _weight.',
  'Host metric that shows the same load of a compute node, by instance metric.':
    'Je Metrik der Instanzen die Metrik des Hosts mit derselben Last.',
  'Bytes per second that count as a host at full load (100 %), for disk and network.':
    'Bytes pro Sekunde bei voller Last eines Hosts (100 %), für Festplatte und Netzwerk.',
  'Choice of destinations: fullsearch takes the best of all moves each time, cycle tries one host per instance in turn, retry tries retry_count random hosts per instance.':
    'Geprüfte Ziele: fullsearch wählt jedes Mal die beste aller Migrationen, cycle prüft reihum einen Host je Instanz, retry prüft retry_count zufällige Hosts je Instanz.',
  'Number of random hosts per instance that retry tries.': 'Zufällige Hosts je Instanz bei retry.',
  'Seconds before now that the metrics cover; node is a former name of compute_node.':
    'Zeitraum der Metriken bis jetzt in Sekunden. node ist ein früherer Name von compute_node.',
  'Aggregate of the values of the period; node is a former name of compute_node.':
    'Aggregation der Werte des Zeitraums. node ist ein früherer Name von compute_node.',
  'Performance drop in L3 cache threshold for migration, in percent.':
    'Verlust an L3-Cache in Prozent, ab dem migriert wird.',
  'Aggregate time period of the cache use, in seconds.': 'Aggregationszeitraum der Cache-Nutzung in Sekunden.',
  'Signal of a disturbance: `steal` (waiting for CPUs), `cache` (L3 cache, as in Watcher), or `auto`, which uses steal if a data source has it, and cache otherwise.':
    'Signal einer Störung: `steal` (Warten auf CPUs), `cache` (L3-Cache, wie Watcher) oder `auto`. `auto` nutzt das Warten, wenn eine Datenquelle es liefert, sonst den Cache.',
  'Percent of time for which an instance may wait for CPUs (instance_cpu_steal).':
    'Maximaler Zeitanteil in Prozent, den eine Instanz auf CPUs wartet (instance_cpu_steal).',
  'Percent of time for which tasks of a host may wait for CPUs (host_cpu_pressure). Used where no instance has steal.':
    'Maximaler Zeitanteil in Prozent, in dem auf einem Host auf CPUs gewartet wird (host_cpu_pressure), wenn keine Instanz Steal hat.',
  'Outlet temperature at which a host is hot.': 'Temperatur der Abluft, ab der ein Host heiß ist.',
  'The time interval in seconds for getting statistic aggregation.': 'Aggregationszeitraum der Messwerte in Sekunden.',
  'The time between two measures in an aggregated timeseries of a metric.':
    'Zeit zwischen zwei Messwerten einer aggregierten Zeitreihe.',
  'Hosts without instances that stay powered on, in percent of the hosts with instances.':
    'Eingeschaltete Hosts ohne Instanzen, in Prozent der Hosts mit Instanzen.',
  'Minimum number of hosts without instances that stay powered on.':
    'Mindestzahl eingeschalteter Hosts ohne Instanzen.',
  'Volume threshold for capacity balance, in percent of the capacity of a pool.':
    'Füllung eines Pools in Prozent seiner Kapazität, ab der Volumes migriert werden.',
  'Pools that stay unchanged: `host@backend#pool`, or the part after the `#`. Default: `local_vstorage`.':
    'Ausgeschlossene Pools: `host@backend#pool` oder der Teil nach dem `#`. Standard: `local_vstorage`.',
  'Order in which volumes leave a pool: fewest_moves (default) takes the smallest volume that is sufficient alone, otherwise the largest. watcher takes small volumes first, available before attached ones, and boot volumes last.':
    'Auswahl der Volumes: fewest_moves (Standard) wählt das kleinste ausreichende, sonst das größte. watcher wählt kleine zuerst, freie vor eingebundenen und Boot-Volumes zuletzt.',
  'Airflow threshold for migration, Unit is 0.1CFM.': 'Luftstrom, ab dem migriert wird, in 0,1 CFM.',
  'Inlet temperature threshold that distinguishes a hot room from a faulty host, in °C.':
    'Temperatur am Einlass in °C, die einen heißen Raum von einem defekten Host unterscheidet.',
  'System power threshold that distinguishes a busy host from a faulty one, in watts.':
    'Leistung in Watt, die einen belasteten Host von einem defekten unterscheidet.',
  'Aggregate time period of the metrics, in seconds.': 'Aggregationszeitraum der Metriken in Sekunden.',
  'Compute nodes to empty, each optionally with the node that takes its instances.':
    'Zu leerende Hosts, bei Bedarf je mit dem Host für ihre Instanzen.',
  'Compute node from which instances migrate.': 'Quellhost der Instanzen.',
  'Compute node to which instances migrate. Default: the least allocated node that is not a source.':
    'Zielhost der Instanzen. Ohne Angabe migriert jede auf den am wenigsten belegten Host, der keine Quelle ist.',
  'Storage pools to empty, or volumes of a type in them, each with its destination pool or type.':
    'Zu leerende Speicherpools oder Volumes eines Typs darin, je mit dem Ziel-Pool oder Ziel-Typ.',
  'A src_pool with either a dst_pool or a dst_type, not both.':
    'Ein src_pool mit einem dst_pool oder einem dst_type, nicht mit beiden.',
  'Storage pool from which volumes migrate.': 'Quell-Pool der Volumes.',
  'Storage pool to which volumes migrate.': 'Ziel-Pool der Volumes.',
  'Volume type from which volumes migrate.': 'Quell-Typ der Volumes.',
  'Volume type to which volumes migrate.': 'Ziel-Typ der Volumes.',
  'The number of actions to be run in parallel in total.': 'Parallele Aktionen insgesamt.',
  'The number of actions to be run in parallel per compute node.': 'Parallele Aktionen je Host.',
  'The number of actions to be run in parallel per storage pool.': 'Parallele Aktionen je Speicherpool.',
  'Order of instances and volumes.': 'Reihenfolge der Instanzen und Volumes.',
  'Whether an instance migrates directly after its attached volumes.':
    'Instanzen direkt nach ihren eingebundenen Volumes migrieren.',
  'Actions to propose, in this order. Their types are those of the applier.':
    'Vorzuschlagende Aktionen in dieser Reihenfolge. Die Aktionstypen sind die des Appliers.',
  'Quantity to balance over compute nodes: the number of instances, or allocated vcpus or memory.':
    'Ausgeglichene Größe: die Anzahl der Instanzen, belegte vCPUs oder belegter Arbeitsspeicher.',
  'For instances: largest tolerated difference between two compute nodes.':
    'Für Instanzen: größter zulässiger Unterschied zwischen zwei Hosts.',
  'For vcpus and memory: tolerated difference between the allocated share of a compute node and that of the whole cluster, in percent of its capacity.':
    'Für vCPUs und Arbeitsspeicher: maximale Abweichung der Belegung eines Hosts vom Cluster, in Prozent seiner Kapazität.',
  'Number of consecutive hosts that may be impossible to empty before the search ends; 0: no limit.':
    'Maximale Zahl aufeinanderfolgender Hosts, die nicht geleert werden können. 0: keine Grenze.',
  'Length of the metric window in seconds.': 'Länge des Messzeitraums in Sekunden.',
  'Seconds between two points of a metric.': 'Sekunden zwischen zwei Messwerten.',
  'Aggregate of the points of a window.': 'Aggregation der Messwerte des Zeitraums.',
  'Deprecated, see compute_node.': 'Veraltet, siehe compute_node.',
  'Whether to move instances with metadata only if their `optimize` is yes.':
    'Instanzen mit Metadaten nur migrieren, wenn `optimize` darin yes ist.',
  'Choice of hosts: fewest_moves (default) searches for the most hosts with the fewest migrations. watcher tries hosts only in the order of Watcher.':
    'Auswahl der Hosts: fewest_moves (Standard) sucht die meisten Hosts mit den wenigsten Migrationen. watcher prüft Hosts nur in der Reihenfolge von Watcher.',
  'Host names of the compute nodes that return from maintenance.': 'Namen der Hosts, die aus der Wartung zurückkehren.',
  'Return the instances that plans of this goal have moved off the nodes.':
    'Instanzen zurückmigrieren, die Pläne dieses Ziels von den Hosts migriert haben.',
  'Also enable nodes that were not disabled by a maintenance of Vigil.':
    'Auch Hosts aktivieren, die nicht durch eine Wartung von Vigil deaktiviert wurden.',
  'Host names of the compute nodes, in the order in which they go into maintenance.':
    'Namen der Hosts, in der Reihenfolge ihrer Wartung.',
  'Concurrent nodes in maintenance, as far as `failure_reserve` allows.':
    'Hosts gleichzeitig in Wartung, soweit `failure_reserve` es zulässt.',
  'Return the instances that left a node once its service is enabled again.':
    'Instanzen zurückmigrieren, sobald der Dienst ihres Hosts wieder aktiviert ist.',
  'Time of day (HH:MM, UTC) from which nodes may be emptied. Requires window_end.':
    'Uhrzeit (HH:MM, UTC), zu der die Arbeit beginnt. Erfordert window_end.',
  'Time of day (HH:MM, UTC) after which no node is emptied. May be after midnight.':
    'Uhrzeit (HH:MM, UTC), nach der nichts mehr startet. Sie kann nach Mitternacht liegen.',
  'Actions of this audit that may fail before it stops.': 'Zulässige fehlgeschlagene Aktionen, bevor das Audit anhält.',
  'Reaction to a node that cannot be emptied: `stop`, or `skip` it and leave it unchanged.':
    'Bei einem nicht leerbaren Host: anhalten (`stop`) oder überspringen (`skip`).',
  'Hosts of every failure domain that may fail simultaneously. Default: `VIGIL_FAILURE_RESERVE`, which is 1; 0: no reserve.':
    'Hosts eines Ausfallbereichs, die ausfallen dürfen (`VIGIL_FAILURE_RESERVE`; 0: keine).',
  '`auto`: Nova chooses the destinations. `specify`: the strategy chooses them.':
    'Wahl der Ziele: durch Nova (auto) oder die Strategie (specify).',
  'The metric to balance.': 'Auszugleichende Metrik.',
  'Load in percent at which a host loses instances, and below which a destination must stay.':
    'Last in Prozent, ab der ein Host Instanzen abgibt und unter der ein Ziel bleiben muss.',
  'Compute nodes that are fenced, in addition to those that are forced down in Nova.':
    'Nachweislich isolierte Hosts, zusätzlich zu denen, die in Nova auf „forced down“ stehen.',
  'Treatment of instances with a disk on the host itself: `leave` them, or `evacuate` them too. Nova finds their disks only on shared storage. Elsewhere it rebuilds the instance from its image, and its data are lost.':
    'Instanzen mit lokaler Festplatte: auslassen oder ebenfalls evakuieren. Nova findet ihre Festplatten nur auf gemeinsamem Speicher wieder. Sonst erstellt Nova die Instanz neu aus ihrem Image, und ihre Daten gehen verloren.',
  'The aim: relief only moves instances off hosts above their hot limit, and repairs broken rules. even spreads CPU load and memory over all hosts, whether or not one is near a limit, and reports the cost.':
    'Vorgabe: relief migriert Instanzen nur von Hosts über ihrer Grenze und repariert. even verteilt CPU-Last und Arbeitsspeicher immer über alle Hosts und nennt den Aufwand.',
  'Maximum migrations in the plan; 0: no limit. The smaller of this and the budget of the engine applies.':
    'Höchstzahl der Migrationen im Plan. 0: keine Grenze. Das kleinere von diesem Wert und dem Budget der Decision Engine gilt.',
  'Maximum migrations in the plan; 0: no limit. Default: 50, or 20 % of the enabled hosts when that is more. The smaller of this and the budget of the engine applies.':
    'Höchstzahl der Migrationen im Plan. 0: keine Grenze. Standard: 50 oder, falls das mehr ist, 20 % der aktivierten Hosts. Das kleinere von diesem Wert und dem Budget der Decision Engine gilt.',
  'The same limit, by its name in other strategies. Default: the configuration of the engine.':
    'Dieselbe Grenze unter dem Namen anderer Strategien. Standard: Konfiguration der Decision Engine.',
  'Maximum total duration of the migrations in sequence, in minutes. Default: no limit.':
    'Maximale Dauer der Migrationen des Plans nacheinander, in Minuten. Standard: keine Grenze.',
  'Plan to propose, of several sizes: budget takes the largest one, knee the one beyond which further migrations gain little. The audit keeps the others, which can be planned later.':
    'Vorgeschlagene Plangröße: budget wählt den größten Plan, knee den Plan, ab dem weitere Migrationen wenig bringen. Die anderen bleiben beim Audit und können später erstellt werden.',
  'Migrations per point of 100 gained: 10, 40, or no limit.':
    'Migrationen je gewonnenem Punkt von 100: 10, 40 oder ohne Grenze.',
  'Minimum gain of a plan, in points of 100. A plan with less gain only repairs broken rules and relieves hot hosts.':
    'Mindestgewinn eines Plans in Punkten von 100. Ein Plan darunter behebt nur Regelverletzungen und entlastet heiße Hosts.',
  'Maximum use of the physical CPUs of a host in percent, or an object of limits by resource (cpu, memory; memory as measured). A host above it by more than noise (2 %) is relieved to 5 % below it before anything else.':
    'Maximale Nutzung eines Hosts in Prozent seiner physischen CPUs, oder ein Objekt mit Grenzen je Ressource (cpu, memory; Arbeitsspeicher wie gemessen). Ein Host, der mehr als 2 % darüber liegt, wird zuerst auf 5 % darunter entlastet.',
  'Hosts of every failure domain that may fail simultaneously: the others have room for their instances. Default: `VIGIL_FAILURE_RESERVE`, which is 1; 0: no reserve. A domain that already lacks the reserve does not get worse.':
    'Hosts jedes Ausfallbereichs, die gleichzeitig ausfallen dürfen. Ihre Instanzen passen auf die anderen Hosts. Standard: `VIGIL_FAILURE_RESERVE`, also 1. 0: keine Reserve. Ein Bereich ohne diese Reserve wird nicht schlechter.',
  'Budget of the search in seconds. It is counted as work, so the same cloud gives the same plan on any machine.':
    'Budget der Suche in Sekunden. Es wird als Arbeit gezählt. So ergibt dieselbe Cloud auf jeder Maschine denselben Plan.',
  'Weights of terms of the objective, by their names in the report: off, low, normal or high. Off by default: vcpus_balance (allocated vcpus) and instances_balance (number of instances), for balance.':
    'Gewicht eines Teils der Zielfunktion, nach seinem Namen im Bericht: off, low, normal oder high. Standard off: vcpus_balance (belegte vCPUs) und instances_balance (Anzahl der Instanzen) bei balance.',
  'Window of the loads in seconds.': 'Zeitraum der Lasten in Sekunden.',
  'Whether to also empty disabled hosts that are up, and to count them as hosts in use. They receive no instances. Default: false.':
    'Auch deaktivierte, laufende Hosts leeren und als genutzt zählen. Standard: nein. Sie erhalten keine Instanzen.',
  'Combines packing and spreading in one search, with any preset.':
    'Konsolidieren und Verteilen in einer Suche, mit jeder Vorgabe.',
  'The aim: balance spreads CPU load and memory, consolidate frees hosts, defragment makes room for large flavors, licences gathers licensed images on few hosts, repair_only repairs broken rules and relieves hot hosts.':
    'Ausgleichen verteilt CPU-Last und Arbeitsspeicher. Konsolidieren macht Hosts frei. Platz für große Flavors schaffen fasst freien Platz zusammen. Lizenzen sparen hält lizenzierte Images auf wenigen Hosts. Nur reparieren behebt verletzte Regeln und entlastet heiße Hosts.',
  'Flavors for which defragment makes room, by name. Default: the largest flavor of any instance.':
    'Flavors, für die defragment Platz schafft, nach Namen. Standard: der größte Flavor einer Instanz.',
  'Licensed instances for the preset licences: property=pattern, with * for any characters. A property of the image counts, one of the flavor (trait:NAME=required), or metadata of the instance. One matching condition is sufficient.':
    'Instanzen für licences: Eigenschaft=Muster, * für beliebige Zeichen. Es zählt eine Eigenschaft des Images, des Flavors (trait:NAME=required) oder der Metadaten der Instanz. Eine Bedingung genügt.',
};
