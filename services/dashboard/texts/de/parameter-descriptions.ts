import type { ApiNames } from '../texts.ts';

/** Deutsche Beschreibungen der Parameter mitgelieferter Strategien, nach ihrem englischen Text. */
export const deParameterDescriptions: ApiNames = {
  'Seconds that the sleep action takes.': 'Sekunden, die die Aktion sleep dauert.',
  'Message of the second nop action.': 'Meldung der zweiten Aktion nop.',
  'A number that is logged.': 'Eine Zahl, die protokolliert wird.',
  'A text that is logged.': 'Ein Text, der protokolliert wird.',
  'Host name of the compute node to empty.': 'Name des Hosts, der geleert wird.',
  'Host name of the compute node that takes all instances; without it Nova chooses.':
    'Name des Hosts, der alle Instanzen aufnimmt; ohne ihn wählt Nova.',
  'Never migrate live; active instances are migrated cold.':
    'Nie live migrieren; laufende Instanzen werden kalt migriert.',
  'Never migrate cold. Together with disable_live_migration active instances are stopped.':
    'Nie kalt migrieren. Zusammen mit disable_live_migration werden laufende Instanzen angehalten.',
  'Seconds before now over which metrics are averaged.': 'Sekunden vor jetzt, über die Messwerte gemittelt werden.',
  'Seconds between two stored samples, where the source has several series.':
    'Sekunden zwischen zwei gespeicherten Messwerten, wenn die Quelle mehrere Reihen hat.',
  'Maximum migrations in a plan; 0: no limit. Default: the configuration of the engine.':
    'Höchstzahl der Migrationen eines Plans; 0: keine Grenze. Ohne Angabe gilt die Konfiguration der Decision Engine.',
  'Hosts that could be freed and are kept in use or empty, in addition to those that failure domains need.':
    'Hosts, die frei werden könnten und in Benutzung oder leer bleiben, zusätzlich zu denen für Ausfallbereiche.',
  'Aggregate of the samples of the window; 5 % of the samples exceed p95.':
    'Wie die Messwerte des Zeitraums zu einer Zahl werden; p95 wird in einem Zwanzigstel der Zeit überschritten.',
  'Minimum percent of the allocations of a host that must be measured for its load to count; default 80. Other hosts are neither source nor destination.':
    'Anteil der Belegung eines Hosts in Prozent, der mindestens gemessen sein muss, damit seine Last zählt; sonst 80. Hosts darunter sind weder Quelle noch Ziel.',
  'Hosts of every failure domain (zone, aggregate that is kept for projects, flavors, images or traits, cell) that may fail simultaneously: their instances find places on the others. Default: `VIGIL_FAILURE_RESERVE`, which is 1; 0: no reserve.':
    'Hosts jedes Ausfallbereichs (Zone, reserviertes Aggregat, Zelle), die zugleich ausfallen dürfen: Ihre Instanzen finden auf den übrigen Platz. Sonst gilt `VIGIL_FAILURE_RESERVE`, also 1; 0: keine solche Reserve.',
  'Percent to which consolidation fills a compute node at most: of its capacity by allocations, and of its physical CPUs and memory by measured use. 80 each where it is not given; 100 fills hosts to the last place, as Watcher does.':
    'Prozent, bis zu denen die Konsolidierung einen Host füllt: seiner Kapazität nach Belegung, und seiner physischen CPUs und seines Speichers nach gemessener Nutzung. Ohne Angabe je 80; 100 füllt Hosts ganz, wie Watcher.',
  'Instance metrics whose spread across hosts is reduced.':
    'Messgrößen der Instanzen, deren Streuung über die Hosts kleiner werden soll.',
  'Per metric, the standard deviation of the load (0 to 1) above which the strategy acts.':
    'Je Messgröße die Streuung der Last (0 bis 1), über der die Strategie handelt.',
  'Weight of each metric in the common deviation; names end in _weight.':
    'Gewicht jeder Messgröße in der gemeinsamen Streuung; die Namen enden auf _weight.',
  'Per instance metric, the host metric that shows the same load of a compute node.':
    'Je Messgröße der Instanzen die Messgröße des Hosts, die dieselbe Last zeigt.',
  'Bytes per second that count as a host at full load (100 %), for disk and network.':
    'Bytes pro Sekunde, die bei Festplatte und Netz als volle Last eines Hosts (100 %) gelten.',
  'Which destinations are tried: fullsearch takes the best of all moves each time, cycle tries one host per instance in turn, retry tries retry_count random hosts per instance.':
    'Welche Ziele versucht werden: fullsearch nimmt jedes Mal den besten aller Umzüge, cycle versucht reihum einen Host je Instanz, retry versucht je Instanz retry_count zufällige Hosts.',
  'Random hosts tried per instance by retry.': 'Zufällige Hosts, die retry je Instanz versucht.',
  'Seconds before now that the metrics cover; node is a former name of compute_node.':
    'Sekunden vor jetzt, die die Messwerte umfassen; node ist ein früherer Name von compute_node.',
  'Aggregate of the values of the period; node is a former name of compute_node.':
    'Wie die Werte des Zeitraums zu einer Zahl werden; node ist ein früherer Name von compute_node.',
  'Performance drop in L3 cache threshold for migration, in percent.':
    'Verlust an L3-Cache in Prozent, ab dem migriert wird.',
  'Aggregate time period of the cache use, in seconds.':
    'Zeitraum in Sekunden, über den die Cache-Nutzung zusammengefasst wird.',
  'Signal of a disturbance: `steal` (waiting for CPUs), `cache` (L3 cache, as Watcher), or `auto`, which takes waiting where a data source has it, else cache.':
    'Zeichen einer Störung: `steal` (Warten auf CPUs), `cache` (L3-Cache, wie Watcher) oder `auto`: Warten, wenn eine Datenquelle es hat, sonst Cache.',
  'Percent of time that an instance may wait for CPUs (instance_cpu_steal).':
    'Prozent der Zeit, die eine Instanz auf CPUs warten darf (instance_cpu_steal).',
  'Percent of time that something on a host may wait for CPUs (host_cpu_pressure), where no instance has steal.':
    'Prozent der Zeit, in der auf einem Host etwas auf CPUs warten darf (host_cpu_pressure), wenn keine Instanz Steal hat.',
  'Temperature at the outlet at which a host is hot.': 'Temperatur der Abluft, ab der ein Host heiß ist.',
  'The time interval in seconds for getting statistic aggregation.':
    'Zeitraum in Sekunden, über den Messwerte zusammengefasst werden.',
  'The time between two measures in an aggregated timeseries of a metric.':
    'Zeit zwischen zwei Messwerten einer zusammengefassten Reihe.',
  'Hosts without instances that stay powered on, in percent of the hosts with instances.':
    'Hosts ohne Instanzen, die eingeschaltet bleiben, in Prozent der Hosts mit Instanzen.',
  'Minimum number of hosts without instances that stay powered on.':
    'Hosts ohne Instanzen, die mindestens eingeschaltet bleiben.',
  'Volume threshold for capacity balance, in percent of the capacity of a pool.':
    'Füllung eines Pools in Prozent seiner Kapazität, ab der Volumes umziehen.',
  'Pools that are left alone: `host@backend#pool`, or the part after the `#`; `local_vstorage` when it is not given.':
    'Pools, die unverändert bleiben: `host@backend#pool` oder der Teil nach dem `#`; ohne Angabe `local_vstorage`.',
  'Which volumes leave a pool: fewest_moves takes the smallest that is enough alone, else the largest (when it is not given); watcher takes small ones first, available ones before attached ones, those that servers boot from last.':
    'Welche Volumes einen Pool verlassen: fewest_moves nimmt das kleinste, das allein genügt, sonst das größte (ohne Angabe); watcher nimmt kleine zuerst, freie vor eingebundenen, und Boot-Volumes zuletzt.',
  'Airflow threshold for migration, Unit is 0.1CFM.': 'Luftstrom, ab dem migriert wird, in 0,1 CFM.',
  'Inlet temperature threshold that distinguishes a hot room from a faulty host, in °C.':
    'Temperatur am Einlass in °C, die einen heißen Raum von einem defekten Host unterscheidet.',
  'System power threshold that distinguishes a busy host from a faulty one, in watts.':
    'Leistung in Watt, die einen belasteten Host von einem defekten unterscheidet.',
  'Aggregate time period of the metrics, in seconds.':
    'Zeitraum in Sekunden, über den die Messwerte zusammengefasst werden.',
  'Compute nodes to empty, each with the one that takes its instances where that matters.':
    'Hosts, die geleert werden, auf Wunsch je mit dem Host, der ihre Instanzen aufnimmt.',
  'Compute node from which instances migrate.': 'Host, von dem Instanzen migrieren.',
  'Compute node to which instances migrate; without it each goes to the least allocated one that is no source.':
    'Host, auf den Instanzen migrieren; ohne ihn geht jede auf den am wenigsten belegten, der keine Quelle ist.',
  'Storage pools to empty, or volumes of a type in them, each with the pool or the type that they go to.':
    'Speicherpools, die geleert werden, oder Volumes eines Typs darin, je mit dem Pool oder Typ, zu dem sie gehen.',
  'A src_pool with either a dst_pool or a dst_type, not both.':
    'Ein src_pool mit einem dst_pool oder einem dst_type, nicht mit beiden.',
  'Storage pool from which volumes migrate.': 'Speicherpool, aus dem Volumes migrieren.',
  'Storage pool to which volumes migrate.': 'Speicherpool, in den Volumes migrieren.',
  'Volume type from which volumes migrate.': 'Volume-Typ, von dem Volumes migrieren.',
  'Volume type to which volumes migrate.': 'Volume-Typ, zu dem Volumes migrieren.',
  'The number of actions to be run in parallel in total.': 'Aktionen, die insgesamt zugleich laufen.',
  'The number of actions to be run in parallel per compute node.': 'Aktionen, die je Host zugleich laufen.',
  'The number of actions to be run in parallel per storage pool.': 'Aktionen, die je Speicherpool zugleich laufen.',
  'List prioritizes instances and volumes.': 'Reihenfolge von Instanzen und Volumes.',
  'Instances migrate just after their attached volumes or not.':
    'Ob Instanzen gleich nach ihren eingebundenen Volumes migrieren.',
  'Actions to propose, in this order; action types are those of the applier.':
    'Aktionen, die vorgeschlagen werden, in dieser Reihenfolge; ihre Arten sind die des Appliers.',
  'Quantity to balance over compute nodes: the number of instances, or allocated vcpus or memory.':
    'Größe, die über die Hosts ausgeglichen wird: die Anzahl der Instanzen, oder belegte vCPUs oder Arbeitsspeicher.',
  'For instances: the largest difference between two compute nodes that is left alone.':
    'Für Instanzen: der größte Unterschied zwischen zwei Hosts, der bleiben darf.',
  'For vcpus and memory: how far the allocated share of a compute node may be from that of the whole cluster, in percent of its capacity.':
    'Für vCPUs und Arbeitsspeicher: wie weit der belegte Anteil eines Hosts von dem des Clusters abweichen darf, in Prozent seiner Kapazität.',
  'Ends after more than this number of consecutive hosts that cannot be emptied; 0: no limit.':
    'Gibt nach mehr als so vielen Hosts hintereinander auf, die sich nicht leeren lassen; 0: nie.',
  'Length of the metric window in seconds.': 'Länge des Messzeitraums in Sekunden.',
  'Seconds between two points of a metric.': 'Sekunden zwischen zwei Messwerten.',
  'Aggregate of the points of a window.': 'Wie die Messwerte des Zeitraums zu einer Zahl werden.',
  'Deprecated, see compute_node.': 'Veraltet, siehe compute_node.',
  'Whether instances with metadata are only moved when their `optimize` is yes.':
    'Ob Instanzen mit Metadaten nur umziehen, wenn `optimize` darin yes ist.',
  'Which hosts are emptied: fewest_moves searches for the most hosts with the fewest migrations (when it is not given); watcher tries hosts in the order of Watcher only.':
    'Welche Hosts geleert werden: fewest_moves sucht die meisten Hosts mit den wenigsten Migrationen (ohne Angabe); watcher versucht Hosts nur in der Reihenfolge von Watcher.',
  'Host names of the compute nodes that return from maintenance.': 'Namen der Hosts, die aus der Wartung zurückkehren.',
  'Return the instances that plans of this goal have moved off the nodes.':
    'Instanzen zurückziehen, die Pläne dieses Ziels von den Hosts umgezogen haben.',
  'Also enable nodes that were not disabled by a maintenance of Vigil.':
    'Auch Hosts aktivieren, die nicht durch eine Wartung von Vigil deaktiviert wurden.',
  'Host names of the compute nodes, in the order in which they go into maintenance.':
    'Namen der Hosts, in der Reihenfolge ihrer Wartung.',
  'Concurrent nodes in maintenance, as far as `failure_reserve` allows.':
    'Hosts, die zugleich in Wartung sind, soweit `failure_reserve` es zulässt.',
  'Return the instances that left a node once its service is enabled again.':
    'Instanzen zurückziehen, die einen Host verlassen haben, sobald sein Dienst wieder aktiviert ist.',
  'Time of day (HH:MM, UTC) at which work starts; needs window_end.':
    'Tageszeit (HH:MM, UTC), ab der etwas geschieht; braucht window_end.',
  'Time of day (HH:MM, UTC) after which nothing starts; may be after midnight.':
    'Tageszeit (HH:MM, UTC), ab der nichts mehr beginnt; auch nach Mitternacht.',
  'Actions of this audit that may fail before it stops.':
    'Aktionen dieses Audits, die fehlschlagen dürfen, bevor es anhält.',
  'At a node that cannot be emptied: `stop`, or `skip` it and leave it unchanged.':
    'Bei einem Host, der sich nicht leeren lässt: anhalten (`stop`), oder ihn unverändert auslassen (`skip`).',
  'Hosts of a domain that may fail (default `VIGIL_FAILURE_RESERVE`; 0: none).':
    'Hosts eines Ausfallbereichs, die ausfallen dürfen (`VIGIL_FAILURE_RESERVE`; 0: keine).',
  'Chooser of destinations: Nova (auto) or the strategy (specify).':
    'Wer die Ziele wählt: Nova (auto) oder die Strategie (specify).',
  'The metric to balance.': 'Die Messgröße, die ausgeglichen wird.',
  'Load in percent at which a host loses instances, and below which a destination must stay.':
    'Last in Prozent, ab der ein Host Instanzen abgibt und unter der ein Ziel bleiben muss.',
  'Compute nodes known to be fenced, besides those that are forced down in Nova.':
    'Hosts, die sicher isoliert sind, zusätzlich zu denen, die in Nova auf „forced down“ stehen.',
  'Instances with a disk on the host itself: leave them, or evacuate them too. Nova finds their disks again on shared storage only; without it, it makes the instance anew from its image, and its data is lost.':
    'Instanzen mit einer Festplatte auf dem Host selbst: lassen oder auch evakuieren. Nova findet ihre Festplatten nur auf gemeinsamem Speicher wieder; ohne ihn entsteht die Instanz neu aus ihrem Image, und ihre Daten sind verloren.',
  'The aim: relief moves instances only off hosts above their hot limit, and repairs; even spreads CPU load and memory over all hosts, whether or not one is near a limit, and reports the cost.':
    'Das Vorhaben: relief zieht Instanzen nur von Hosts über ihrer Grenze ab und repariert; even verteilt CPU-Last und Arbeitsspeicher über alle Hosts, auch wenn keiner nahe einer Grenze ist, und nennt den Preis.',
  'Maximum migrations in the plan; 0: no limit. The smaller of this and the budget of the engine is used.':
    'Höchstzahl der Migrationen im Plan; 0: keine Grenze. Es gilt die kleinere Zahl von dieser und dem Budget der Decision Engine.',
  'The same limit by the name in other strategies. Default: the configuration of the engine.':
    'Dieselbe Grenze unter dem Namen anderer Strategien. Ohne Angabe gilt die Konfiguration der Decision Engine.',
  'Maximum total minutes of the migrations of the plan in sequence. Default: no limit.':
    'Minuten, die die Migrationen des Plans nacheinander höchstens dauern. Ohne Angabe gibt es keine solche Grenze.',
  'Which of the plans of several sizes is proposed: budget takes the largest, knee the one after which a further migration brings little. The others stay with the audit and can be planned later.':
    'Welcher der verschieden großen Pläne vorgeschlagen wird: budget nimmt den größten, knee den, nach dem eine weitere Migration wenig bringt. Die übrigen bleiben beim Audit und lassen sich später planen.',
  'Migrations per point of 100 gained: 10, 40, or no limit.':
    'Migrationen je gewonnenem Punkt von 100: 10, 40 oder ohne Grenze.',
  'Minimum gain of a plan, in points of 100. A plan below it only repairs broken rules and relieves hot hosts.':
    'Punkte von 100, die ein Plan mindestens gewinnt; darunter zieht nichts um, außer es repariert etwas oder entlastet einen heißen Host.',
  'Percent of its physical CPUs to which a host is used at most, or an object of limits by resource (cpu, memory; memory as measured). A host that is above it by more than noise (2 %) is relieved to 5 % below before anything else.':
    'Prozent seiner physischen CPUs, bis zu denen ein Host genutzt wird, oder ein Objekt mit Grenzen je Ressource (cpu, memory; Arbeitsspeicher wie gemessen). Ein Host, der um mehr als 2 % darüber liegt, wird zuerst auf 5 % darunter entlastet.',
  'Hosts of every failure domain that may fail simultaneously: their instances find places on the others; 0: no reserve. A domain that already lacks it does not get worse.':
    'Hosts jedes Ausfallbereichs, die zugleich ausfallen dürfen: Ihre Instanzen finden auf den übrigen Platz; 0: keine solche Reserve. Ein Bereich, dem sie schon fehlt, wird nicht schlechter.',
  'Budget of the search in seconds. It is counted as work, so that the same cloud gives the same plan on any machine.':
    'Budget der Suche in Sekunden. Es zählt als Arbeit, damit dieselbe Cloud auf jeder Maschine denselben Plan ergibt.',
  'How much a term of the objective counts, by its name as in the report: off, low, normal or high. Off where nothing is said: vcpus_balance (allocated vcpus) and instances_balance (their number), for balance.':
    'Wie viel ein Teil der Zielfunktion zählt, nach seinem Namen im Bericht: off, low, normal oder high. Ohne Angabe sind für balance vcpus_balance (belegte vCPUs) und instances_balance (Anzahl der Instanzen) aus.',
  'Window of the loads in seconds.': 'Sekunden des Zeitraums, aus dem Lasten gelesen werden.',
  'Whether to also empty disabled hosts that are up, and count them as hosts in use. Default: no. They receive no instances.':
    'Auch Hosts leeren, die deaktiviert sind, aber laufen, und sie als benutzt zählen; ohne Angabe nicht. Sie nehmen keine Instanzen auf.',
  'Pack and spread in one search, with any preset.':
    'Zusammenlegen und Verteilen in einer Suche, unabhängig vom Vorhaben.',
  'The aim: balance spreads CPU load and memory, consolidate frees hosts, defragment makes places for large flavors, licences has licensed images on few hosts, repair_only stops when nothing is broken and no host is hot.':
    'Das Vorhaben: balance verteilt CPU-Last und Arbeitsspeicher, consolidate macht Hosts frei, defragment schafft Plätze für große Flavors, licences hält lizenzierte Images auf wenigen Hosts, repair_only endet, wenn nichts verletzt und kein Host heiß ist.',
  'Flavors that defragment makes places for, by name; without one the largest that an instance has.':
    'Flavors, für die defragment Plätze schafft, nach Namen; ohne Angabe der größte, den eine Instanz hat.',
  'Instances that licences is about: property=pattern, * for any characters. A property of the image counts, one of the flavor (trait:NAME=required), or one of the metadata of the instance; one of the conditions is enough.':
    'Instanzen, um die es bei licences geht: Eigenschaft=Muster, * für beliebige Zeichen. Es zählt eine Eigenschaft des Images, des Flavors (trait:NAME=required) oder der Metadaten der Instanz; eine der Bedingungen genügt.',
};
