const minMinor = 0;
const maxMinor = 7;
/** Oldest version of API v1. */
export const minVersion = `1.${minMinor}`;
/** Newest version of API v1. */
export const maxVersion = `1.${maxMinor}`;

const supportedRange = `The supported version range is: [${minVersion}, ${maxVersion}].`;

/** Outcome of reading the version header. A refusal says whether the response carries the version headers. */
export type VersionChoice = { minor: number } | { refused: string; withHeaders: boolean };

/** Reads `OpenStack-API-Version`. The last entry for `infra-optim` counts. No entry or unreadable text means 1.0. */
export function chooseVersion(header: string | string[] | undefined): VersionChoice {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  const wanted = requestedVersion(text);
  if (wanted === undefined || wanted === '1') return { minor: minMinor };
  if (wanted.toLowerCase() === 'latest') return { minor: maxMinor };
  if (!/^[+-]?\d+(\.[+-]?\d+)*$/.test(wanted)) return { minor: minMinor };
  const numbers = wanted.split('.').map(Number);
  const [major, minor] = numbers;
  if (numbers.length !== 2 || major === undefined || minor === undefined) {
    return { refused: 'Invalid value for OpenStack-API-Version header', withHeaders: false };
  }
  return judge(major, minor);
}

function requestedVersion(text: string): string | undefined {
  const entries = text.split(',').map((entry) => /^(\S*)\s*(.*)$/s.exec(entry.trim()));
  return entries.findLast((entry) => entry?.[1]?.toLowerCase() === 'infra-optim')?.[2] || undefined;
}

function judge(major: number, minor: number): VersionChoice {
  if (major !== 1) {
    return {
      refused: `Mutually exclusive versions requested. Version ${major}.${minor} requested but not supported by this service. ${supportedRange}`,
      withHeaders: true,
    };
  }
  if (minor > maxMinor || minor < minMinor) {
    return {
      refused: `Version ${major}.${minor} was requested but the minor version is not supported by this service. ${supportedRange}`,
      withHeaders: true,
    };
  }
  return { minor };
}
