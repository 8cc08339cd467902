/** Abbreviations with their usual spelling. */
const abbreviations: ReadonlyMap<string, string> = new Map([
  ['cpu', 'CPU'],
  ['vcpu', 'vCPU'],
  ['vcpus', 'vCPUs'],
  ['ram', 'RAM'],
  ['id', 'ID'],
  ['ids', 'IDs'],
  ['uuid', 'UUID'],
  ['pid', 'PID'],
  ['io', 'I/O'],
  ['ip', 'IP'],
  ['numa', 'NUMA'],
  ['pci', 'PCI'],
  ['l3', 'L3'],
]);

/** A name of the API within a sentence: `host_cpu_usage` becomes `host CPU usage`. */
export function phraseOf(name: string): string {
  return name
    .split(/[_\s-]+/)
    .map((word) => abbreviations.get(word.toLowerCase()) ?? word)
    .join(' ');
}

/** A name of the API as a label: `released_nodes` becomes `Released nodes`. */
export function wordsOf(name: string): string {
  const text = phraseOf(name);
  return text.startsWith('vCPU') ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
